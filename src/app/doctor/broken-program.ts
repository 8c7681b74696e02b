import { join } from 'node:path'
import { findStartProblem, isLauncherFile, programOfProjectLauncher } from '../install/index.ts'
import type { DoctorEnvironment } from './context.ts'
import { findProgram, isExecutableFile } from './installed-agents.ts'
import { programStartedBy } from './read/command-line.ts'

/** The launcher that is committed with a project. */
export const PROJECT_LAUNCHER = '.signalbox/hook'

interface ProgramContext {
  readonly root: string
  readonly env: DoctorEnvironment
}

/** Starts the program, once per launcher. Returns the file and why it judges nothing; undefined: it works, or is not our launcher. */
export function findBrokenProgram(
  { command, words }: { readonly command: string; readonly words?: readonly string[] },
  context: ProgramContext,
): { readonly file: string; readonly found: string } | undefined {
  const isProject = command.includes(PROJECT_LAUNCHER)
  const file = isProject
    ? findLauncherOfProject(context)
    : (words?.[0] ?? programStartedBy(command, context.env)?.program)
  if (file === undefined)
    return isProject
      ? { file: join(context.root, PROJECT_LAUNCHER), found: 'Signalbox is not installed there' }
      : undefined
  if (!isLauncherFile(file)) return undefined
  const key = `${file} ${context.env.PATH}`
  if (!integrityCache.has(key)) integrityCache.set(key, findStartProblem(file, context.env))
  const found = integrityCache.get(key)
  return found === undefined ? undefined : { file, found }
}

const integrityCache = new Map<string, string | undefined>()

/** The program that the project launcher starts here. */
const findLauncherOfProject = ({ root, env }: ProgramContext): string | undefined =>
  programOfProjectLauncher(root, env, isExecutableFile, name => findProgram(name, env.PATH))
