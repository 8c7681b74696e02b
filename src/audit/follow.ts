import { AuditLogReader } from '../store/index.ts'
import { ChangeWatcher } from './change-watcher.ts'

/** Calls `look` now and after each write, until aborted. Reopens the reader if the database file was replaced. */
export async function followAuditLog(
  state: string,
  signal: AbortSignal,
  look: (reader: AuditLogReader) => void | Promise<void>,
): Promise<void> {
  const wake = new ChangeWatcher(state)
  let reader: AuditLogReader | undefined
  let version: number | undefined
  try {
    while (!signal.aborted) {
      if (reader?.isCurrent() === false) {
        reader.close()
        reader = undefined
        wake.close()
      }
      if (!reader) {
        reader = AuditLogReader.open(state)
        version = undefined
      }
      const now = reader?.version()
      if (reader && now !== version) {
        version = now
        await look(reader)
      }
      await wake.next(signal)
    }
  } finally {
    reader?.close()
    wake.close()
  }
}
