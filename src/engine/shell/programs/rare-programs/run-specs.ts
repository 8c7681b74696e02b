import type { WrapperSpec } from '../wrappers/wrapper-spec.ts'

/** How a program runs the command in its words. */
export interface RunSpecs {
  /** `run`, `compose exec`: the words that say that a command follows; empty if none do */
  readonly verbs: Readonly<Record<string, WrapperSpec>>
  /** options with a value, and without one, that may stand in front of the verb */
  readonly before?: string
  readonly flags?: string
}
