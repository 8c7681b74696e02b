export type * from './api.ts'
export type { DashboardBackend, ProjectPolicy, RecordedDecision } from './desk.ts'
export { DashboardServer } from './server.ts'
