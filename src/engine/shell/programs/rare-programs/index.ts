import type { ProgramDescription } from '../../calls/program-call.ts'
import { ELSEWHERE_RUNNERS } from './elsewhere.ts'
import { RARE_GIT_OPTIONS } from './git-options.ts'
import { LOCAL_RUNNERS } from './local.ts'
import { OPTIONS } from './options.ts'
import type { RunSpecs } from './run-specs.ts'
import { SIDE_FILE_TABLE } from './side-files.ts'

export function runSpecsOf(program: string): RunSpecs | undefined {
  return LOCAL_RUNNERS[program] ?? ELSEWHERE_RUNNERS[program]
}

export function sideFilesOf(program: string): ProgramDescription | undefined {
  return SIDE_FILE_TABLE[program]
}

/** The options of this kind: `curl values`. */
export const optionsOf = (name: string): string => OPTIONS[name] ?? ''

export const gitOptionsOf = (subcommand: string): ProgramDescription | undefined => RARE_GIT_OPTIONS[subcommand]
