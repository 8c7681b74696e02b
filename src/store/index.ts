export { inodeOf } from '../lib/files.ts'
export { sha256 } from '../lib/sha256.ts'
export { createStoreRecord, isAgentRecord } from './audit-log/audit-log.ts'
export { AuditLogReader, type RawRecord, verifyAuditLog } from './audit-log/audit-log-reader.ts'
export {
  type ExportPosition,
  exportLockPath,
  readExportPosition,
  writeExportPosition,
} from './audit-log/export-positions.ts'
export { stateFolderRegistryPath } from './audit-log/known-state-folders.ts'
export { ChainBrokenError, findAuditLogProblem, IncrementalChainCheck } from './audit-log/quick-check.ts'
export { DEFAULT_RETENTION } from './audit-log/retention.ts'
export { Connection } from './connection.ts'
export { inspectStore } from './inspect-store.ts'
export { createMask, createSecretMask, maskStrings, redact, redactRoot } from './redact/redact.ts'
export { type LiveSession, SessionReader } from './sessions/session-reader.ts'
export { writeToSpool } from './spool/write-spool.ts'
export {
  type LibsqlConstructor,
  openDriver,
  requireLibsql,
  runTransaction,
  type SqlDriver,
  type SqlRow,
  type SqlStatement,
} from './sqlite/driver.ts'
export { isCorruption, isLockBusy, isWriteFailure } from './sqlite/errors.ts'
export { acquireFileLock, type FileLock } from './sqlite/file-lock.ts'
export { journalModeFor } from './sqlite/journal-mode.ts'
export { SqliteStore } from './sqlite-store.ts'
export type {
  AuditRecord,
  ChainLink,
  ChainVerification,
  LoadedSession,
  SessionKey,
  Store,
  StoreStep,
  UnwritableState,
} from './store.ts'
export {
  readWorkflowRuns,
  type StoredArtifact,
  type StoredRun,
  type StoredScope,
  type StoredStep,
} from './workflow-runs.ts'
export { WorkflowStore } from './workflow-store.ts'
