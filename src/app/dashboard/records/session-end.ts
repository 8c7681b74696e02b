import type { AuditLogReader } from '../../../store/index.ts'

/** Whether this record is the end of its session. */
export const isSessionEnd = (auditLog: AuditLogReader, seq: number): boolean =>
  auditLog.after(seq - 1, 1)[0]?.json.includes('"event":"session.end"') === true
