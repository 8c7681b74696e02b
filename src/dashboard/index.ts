export type * from './api.ts'
export type { Desk, ProjectPolicy, Recorded } from './desk.ts'
export { Dashboard } from './server.ts'
