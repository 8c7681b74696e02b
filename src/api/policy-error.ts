import type { Diagnostic } from '../types/index.ts'

/**
 * Thrown by `policy` and `policyFile` for a policy that does not load. The message has every error with its place and help.
 *
 * @example
 * try {
 *   policy('gates: { tests: { rulez: [] } }')
 * } catch (error) {
 *   if (error instanceof PolicyError) console.error(error.diagnostics[0]?.line)
 * }
 */
export class PolicyError extends Error {
  override readonly name: string = 'PolicyError'
  /** Errors and warnings, in the order of their places. */
  readonly diagnostics: readonly Diagnostic[]

  constructor(message: string, diagnostics: readonly Diagnostic[]) {
    super(message)
    this.diagnostics = diagnostics
  }
}
