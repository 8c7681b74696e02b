export { type AuditRecord, ownRecord } from './audit.ts'
export { type Libsql, requireLibsql } from './driver.ts'
export { SqliteStore } from './sqlite-store.ts'
export type { SessionKey, Step, Store } from './store.ts'
