export { INTENTS, MEANING } from './intents.ts'
export { type Decision, route, type Surroundings } from './route.ts'
export { NO_WORKFLOW, type Workflow } from './workflow.ts'
