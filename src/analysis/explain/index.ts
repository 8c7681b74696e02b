export { truncateLine } from './actual-value.ts'
export { describeCondition } from './condition-text.ts'
export { traceCondition } from './condition-trace.ts'
export {
  type CandidateMove,
  type Counterfactual,
  type CounterfactualTools,
  type EventAtPoint,
  emphasizeDecision,
  type MoveSequenceResult,
} from './counterfactual/counterfactual.ts'
export { findCounterfactuals } from './counterfactual/counterfactuals.ts'
export { describeGateStates, renderGateDiagram } from './diagram/gate-diagram.ts'
export { type GateObstruction, renderObstructionDiagram } from './diagram/gate-obstructions.ts'
export { renderGatesSvg } from './diagram/gates-svg.ts'
export { type Explanation, explainEvent } from './explain-event.ts'
export { explanationHeadline, listNearMisses, showExplanation } from './show-explanation.ts'
export { describeTrigger } from './trigger-text.ts'
