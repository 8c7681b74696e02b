export type * from './api.ts'
export type { DashboardBackend, ProjectPolicy, RecordedDecision } from './backend.ts'
export { DashboardServer } from './server/server.ts'
