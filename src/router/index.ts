export { INTENT_MEANINGS, INTENTS } from './intents.ts'
export { type RoutingContext, type RoutingDecision, routeRequest } from './route.ts'
export { NO_WORKFLOW, type WorkflowDescription } from './workflow.ts'
