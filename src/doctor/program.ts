import { join } from 'node:path'
import { isLauncher, unwhole } from '../install/index.ts'
import { isProgram, programIn } from './agents.ts'
import type { Env } from './case.ts'
import { startedBy } from './words.ts'

/** What a project carries, and its registrations look for. */
export const PROJECT_LAUNCHER = '.signalbox/hook'

interface Around {
  readonly root: string
  readonly env: Env
  /** the person's copy of the program */
  readonly data: string
}

/** Starts it, once for each launcher. Gives what would be started and why that judges nothing; undefined: fine, or not ours to tell. */
export function brokenProgram(
  { command, words }: { readonly command: string; readonly words?: readonly string[] },
  around: Around,
): { readonly file: string; readonly saw: string } | undefined {
  const isProject = command.includes(PROJECT_LAUNCHER)
  const file = isProject ? soughtBy(around) : (words?.[0] ?? startedBy(command, around.env)?.program)
  if (file === undefined)
    return isProject
      ? { file: join(around.root, PROJECT_LAUNCHER), saw: 'no Signalbox is installed that it could start' }
      : undefined
  if (!isLauncher(file)) return undefined
  const key = `${file} ${around.env.PATH}`
  if (!known.has(key)) known.set(key, unwhole(file, around.env))
  const saw = known.get(key)
  return saw === undefined ? undefined : { file, saw }
}

const known = new Map<string, string | undefined>()

/** In the order of the project's launcher. */
function soughtBy({ root, env, data }: Around): string | undefined {
  const places = [
    join(root, 'node_modules/.bin/signalbox'),
    join(data, 'bin/signalbox'),
    '/usr/local/lib/signalbox/bin/signalbox',
  ]
  return places.find(isProgram) ?? programIn('signalbox', env.PATH)
}
