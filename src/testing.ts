/** `signalbox/testing`: unit tests of a policy, with vitest, node:test or any other test runner. */
export { PolicyError } from './api/policy-error.ts'
export { policy, policyFile } from './api/policy-under-test.ts'
export type {
  ClientId,
  Diagnostic,
  GateMove,
  Outcome,
  PolicyEvent,
  PolicyOptions,
  PolicyUnderTest,
  RuleMatch,
} from './types/index.ts'
