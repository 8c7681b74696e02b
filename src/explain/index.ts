export { traceCondition } from './condition.ts'
export { renderGateDiagram } from './diagram.ts'
export { type Explanation, explainEvent } from './event.ts'
export { findCounterfactuals } from './flip.ts'
export { truncateLine } from './got.ts'
export { type GateLink, renderGateLinksDiagram } from './links.ts'
export { renderGatesSvg } from './picture.ts'
export { callerKey, hasSharedState, type StateOwner } from './shares-state.ts'
export { explanationHeadline, listNearMisses, showExplanation } from './show.ts'
export {
  type CandidateMove,
  type Counterfactual,
  type CounterfactualTools,
  emphasizeDecision,
  type MoveSequenceResult,
} from './turning.ts'
export { describeTrigger } from './way.ts'
export { describeCondition } from './words.ts'
