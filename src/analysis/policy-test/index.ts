export { githubAnnotation, githubReport } from '../reporters/github.ts'
export { jsonReport } from '../reporters/json.ts'
export { junitReport } from '../reporters/junit.ts'
export { plainReport } from '../reporters/plain.ts'
export { sarifReport } from '../reporters/sarif.ts'
export {
  eventFromRecord,
  findRecordGaps,
  type PolicyDataNeeds,
  policyDataNeedsOf,
  type ReconstructedEvent,
  type RecordHistory,
  reconstructFromRecord,
} from '../simulator/from-record.ts'
export { type PlayedStep, playStep } from '../simulator/play-step.ts'
export { simulatePayload, withShellLine } from '../simulator/simulate-payload.ts'
export { findTriggeredTransitions, Simulator, statesSeenByCaller } from '../simulator/simulator.ts'
export { compilePolicyInMemory } from './compile-policy.ts'
export { findGateByName } from './expectation.ts'
export { findTests } from './find-tests.ts'
export { runTests, type TestReport } from './run-tests.ts'
export { eventProblems } from './validate-test.ts'
