import type { Policy } from '../policy/index.ts'
import type { CompiledPolicy } from '../types/index.ts'

/** The internal form of a compiled policy, and its location. Kept outside the public object, which shows only public names. */
export interface InternalPolicy {
  readonly program: Policy
  readonly root: string
  readonly home: string
  /** absolute path */
  readonly file: string
}

const internals = new WeakMap<CompiledPolicy, InternalPolicy>()

export const keepInternals = (policy: CompiledPolicy, inside: InternalPolicy): void => {
  internals.set(policy, inside)
}

export function internalsOf(policy: CompiledPolicy): InternalPolicy {
  const found = internals.get(policy)
  if (!found) throw new TypeError('signalbox: this is not a policy that `compile` returned')
  return found
}
