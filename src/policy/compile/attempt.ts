import type { Layer } from '../../engine/index.ts'
import { messageOf } from '../../lib/errors.ts'
import { isLimitedLayer } from '../find/layers.ts'
import { isLimitExceeded, LIMIT_EXCEEDED_HELP } from '../limits.ts'
import { policyErrorOfFile } from '../parse/policy-error.ts'
import { type CompileInput, type CompileNotes, type FileReader, fileLabel } from './context.ts'

/** One version of a layer's file, with the files it refers to. */
export interface LayerVersion {
  readonly layer: Layer
  readonly file: string
  readonly text: string
  readonly files: FileReader
  /** why other users could have written the file */
  readonly exposed?: string | undefined
}

/** An exception in a project's policy becomes an error of that policy, so that the others compile. `give up` rethrows exceeded limits. */
export function attemptCompile<T>(
  { version, notes }: { readonly version: LayerVersion; readonly notes: CompileNotes },
  input: CompileInput,
  otherwise: T,
  work: () => T,
): T {
  try {
    return work()
  } catch (error) {
    if (!isLimitedLayer(version.layer)) throw error
    if (isLimitExceeded(error) && input.onOverLimit === 'give up') throw error
    notes.problems.push(
      policyErrorOfFile(version.file, ...describeFailure(error, fileLabel(version.file, input), input)),
    )
    return otherwise
  }
}

function describeFailure(error: unknown, name: string, { onOverLimit }: CompileInput): [message: string, help: string] {
  if (!isLimitExceeded(error)) return ['the policy cannot be compiled', 'make it simpler']
  if (onOverLimit) return [`${name} takes too long to compile`, TOO_LONG_HELP]
  return [`${name} is too large: ${messageOf(error)}`, LIMIT_EXCEEDED_HELP]
}

const TOO_LONG_HELP = 'run `signalbox check`, which compiles it without a time limit'
