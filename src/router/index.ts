export { INTENTS, MEANING } from './intents.ts'
export { type Decision, route, type Surroundings } from './route.ts'
export { selectWorkflow, type Workflow } from './workflow.ts'
