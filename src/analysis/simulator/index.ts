export {
  eventFromRecord,
  findRecordGaps,
  type PolicyDataNeeds,
  policyDataNeedsOf,
  type ReconstructedEvent,
  type RecordHistory,
  reconstructFromRecord,
} from './from-record.ts'
export { gateStateIn, statesSeenByCaller } from './given-states.ts'
export { passingCodeGates } from './passing-code-gates.ts'
export { factsGiven, type PlayedStep, playStep } from './play-step.ts'
export { simulatePayload, withShellLine } from './simulate-payload.ts'
export { SimulatedSessions } from './simulated-sessions.ts'
export { isDeniedCall, type PlayedEvent, SharedStates, Simulator } from './simulator.ts'
export { callerKey, isSameGateState, type StateOwner } from './state-owner.ts'
export { triggeredTransitions } from './triggered-transitions.ts'
