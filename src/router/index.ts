export { COMPLEXITIES, type Complexity, INTENTS, type Intent } from './intents.ts'
export { type Decision, route, type Surroundings } from './route.ts'
export type { Chosen, Workflow } from './workflow.ts'
