export { type AuditRecord, createStoreRecord, isAgentRecord } from './audit.ts'
export { stateFolderRegistryPath } from './beginnings.ts'
export { Connection } from './connection.ts'
export { sha256 } from './digest.ts'
export {
  type LibsqlConstructor,
  openDriver,
  requireLibsql,
  runTransaction,
  type SqlDriver,
  type SqlRow,
  type SqlStatement,
} from './driver.ts'
export { inspectStore } from './examine.ts'
export { isCorruption, isLockBusy, isWriteFailure } from './faults.ts'
export type { ChainLink } from './head-lines.ts'
export { journalModeFor } from './journal.ts'
export { writeToSpool } from './leave-in-spool.ts'
export { acquireFileLock, type FileLock } from './lock.ts'
export { type ExportPosition, exportLockPath, readExportPosition, writeExportPosition } from './marks.ts'
export { redact } from './redact.ts'
export { redactRoot } from './redact-record.ts'
export { DEFAULT_RETENTION } from './retention.ts'
export { type LiveSession, SessionReader } from './session-reader.ts'
export { inodeOf } from './set-aside.ts'
export { SqliteStore } from './sqlite-store.ts'
export type { LoadedSession, SessionKey, Store, StoreStep, UnwritableState } from './store.ts'
export { ChainBrokenError, findAuditLogProblem, IncrementalChainCheck } from './trail-integrity.ts'
export { AuditLogReader, type RawRecord, verifyAuditLog } from './trail-reader.ts'
export { createMask, createSecretMask, maskStrings } from './veil.ts'
export type { ChainVerification } from './verify.ts'
export { readWorkflowRuns, type StoredArtifact, type StoredRun, type StoredStep } from './workflow-runs.ts'
