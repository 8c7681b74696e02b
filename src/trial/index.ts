export { simulatePayload, withShellLine } from './cast.ts'
export { eventProblems } from './check.ts'
export { findGateByName } from './expectation.ts'
export { findTests } from './find.ts'
export { type PlayedStep, playStep } from './play-step.ts'
export { compilePolicyInMemory } from './policy.ts'
export {
  eventFromRecord,
  findRecordGaps,
  type PolicyDataNeeds,
  policyDataNeedsOf,
  type ReconstructedEvent,
  type RecordHistory,
  reconstructFromRecord,
} from './recollect.ts'
export { githubAnnotation, githubReport } from './report/github.ts'
export { jsonReport } from './report/json.ts'
export { junitReport } from './report/junit.ts'
export { plainReport } from './report/plain.ts'
export { sarifReport } from './report/sarif.ts'
export { runTests, type TestReport } from './run.ts'
export { findTriggeredTransitions, Simulator, statesSeenByCaller } from './stage.ts'
