import { isLimited, OVER_LIMIT_HELP, OverLimit } from '../limits.ts'
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
    const { file } = version
    notes.problems.push(
      error instanceof OverLimit
        ? problemOf(file, `${label(file, input)} is too large: ${error.message}`, OVER_LIMIT_HELP)
        : problemOf(file, 'the policy cannot be compiled', 'make it simpler'),
    )
    return otherwise
  }
}
