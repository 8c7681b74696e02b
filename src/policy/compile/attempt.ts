import { messageOf } from '../../pattern/index.ts'
import { isLimited, isOverLimit, OVER_LIMIT_HELP } from '../limits.ts'
import { problemOf } from '../problem.ts'
import { type CompileInput, label, type Notes } from './context.ts'
import type { Version } from './prepare.ts'

/** Whatever the policy of a project makes of its reader, it is a fault of that policy: the others are compiled all the same. */
export function attempt<T>(
  { version, notes }: { readonly version: Version; readonly notes: Notes },
  input: CompileInput,
  otherwise: T,
  work: () => T,
): T {
  try {
    return work()
  } catch (error) {
    if (!isLimited(version.layer)) throw error
    if (isOverLimit(error) && input.onOverLimit === 'give up') throw error
    notes.problems.push(problemOf(version.file, ...faultOf(error, label(version.file, input), input)))
    return otherwise
  }
}

function faultOf(error: unknown, name: string, { onOverLimit }: CompileInput): [message: string, help: string] {
  if (!isOverLimit(error)) return ['the policy cannot be compiled', 'make it simpler']
  if (onOverLimit) return [`${name} takes too long to compile: it was begun, and did not end in time`, TOO_LONG_HELP]
  return [`${name} is too large: ${messageOf(error)}`, OVER_LIMIT_HELP]
}

const TOO_LONG_HELP = '`signalbox check` compiles it without haste'
