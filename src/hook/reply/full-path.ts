import { accessSync, constants } from 'node:fs'
import { delimiter } from 'node:path'
import type { Client } from '../../clients/index.ts'
import type { Outcome } from '../../engine/index.ts'
import { isOnPath } from '../facts/program-cache.ts'
import { foldersOf, launcherIn } from '../services/folders.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Commands that denials and contexts suggest to agents. */
const COMMAND = /(?<![\w/~.'"-])signalbox (?=(?:run --|orchestrate|route)(?![\w-]))/g

/** Folders that every login shell has in its `PATH`. */
const EVERYWHERE = ['/usr/local/bin', '/usr/bin', '/bin'].join(delimiter)

/** Puts the full path of the program into suggested commands if the agent's shell may not find `signalbox`. */
export function withFullPath(outcome: Outcome, { loginShell }: Client, env: Env): Outcome {
  const { reason, context } = outcome
  if (!COMMAND.test(`${reason}\n${context}`)) return outcome
  COMMAND.lastIndex = 0
  const launcher = launcherIn(foldersOf(env).data)
  if (isOnPath('signalbox', loginShell ? EVERYWHERE : env.PATH) || !isProgram(launcher)) return outcome
  const word = /^[\w@%+=:,./-]+$/.test(launcher) ? launcher : `'${launcher.replaceAll("'", "'\\''")}'`
  const full = (text: string): string => text.replace(COMMAND, () => `${word} `)
  return { ...outcome, reason: full(reason), context: full(context) }
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
