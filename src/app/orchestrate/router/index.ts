export { INTENT_MEANINGS, INTENTS } from '../../../policy/intents.ts'
export { type RoutingContext, type RoutingDecision, routeRequest } from './route.ts'
export { NO_WORKFLOW, type WorkflowDescription } from './select-workflow.ts'
