import { lstatSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../../lib/json.ts'
import { type AuditRecord, createStoreRecord } from '../audit-log/audit-log.ts'
import { toStorableText } from '../digest.ts'
import type { SqlDriver } from '../sqlite/driver.ts'
import { type SpooledName, writeMeta } from '../sqlite/meta.ts'
import { parseJsonOrUndefined } from '../sqlite/validate-row.ts'

/** The number of spooled records that one event adds: it has no time for more. */
const MAX_PER_EVENT = 64
const MAX_BYTES = 4096
/** resolution of file timestamps */
const MTIME_RESOLUTION_MS = 20
/** after this time, the process that wrote the file has ended */
const STALE_MS = 60_000

const NO_FILES: readonly string[] = []
const spooledNameOf = (file: string): SpooledName => `spooled ${file}`

/** Answers given without the store, one file each, that are not in the audit log yet. */
export class Spool {
  /** stamp of the folder when it was last seen empty */
  private empty = ''

  constructor(private readonly folder: string) {}

  /** Usually nothing is waiting, and one stat of the folder shows it. */
  waiting(): readonly string[] {
    try {
      const stat = statSync(this.folder, { throwIfNoEntry: false })
      if (!stat) return NO_FILES
      const stamp = `${stat.ino} ${stat.mtimeMs}`
      if (stamp === this.empty) return NO_FILES
      // only regular files: other entries cannot be removed and would block the files behind them
      const all = readdirSync(this.folder, { withFileTypes: true }).flatMap(one => (one.isFile() ? one.name : []))
      const names = all.filter(name => /^[\w-]{1,100}\.json$/.test(name)).sort()
      if (names.length === 0 && Date.now() > stat.mtimeMs + MTIME_RESOLUTION_MS) this.empty = stamp
      for (const name of all) if (name.endsWith('.tmp')) this.removeStale(name)
      return names.slice(0, MAX_PER_EVENT)
    } catch {
      return NO_FILES
    }
  }

  /**
   * Call inside a transaction. Returns the records that are not in the audit log yet. Their file names are noted until the files are
   * gone, so that a process that ends between commit and removal causes no duplicate records.
   */
  join(driver: SqlDriver, names: readonly string[], now: number): readonly AuditRecord[] {
    const noted = new Set(
      driver
        .prepare("SELECT name FROM meta WHERE name LIKE 'spooled %'")
        .all()
        .map(row => String(row.name)),
    )
    const forget = driver.prepare('DELETE FROM meta WHERE name = ?')
    for (const name of noted) if (!this.isThere(name.slice(spooledNameOf('').length))) forget.run(name)
    return names.flatMap(file => {
      if (noted.has(spooledNameOf(file)) || !this.isThere(file)) return []
      writeMeta(driver, spooledNameOf(file), { at: now })
      return [toAuditRecord(this.read(file), now)]
    })
  }

  /** Call after the commit. */
  remove(names: readonly string[]): void {
    for (const name of names) {
      try {
        rmSync(join(this.folder, name), { force: true, recursive: false })
      } catch {
        // the file name is noted, so it is not recorded again
      }
    }
  }

  private isThere(file: string): boolean {
    return lstatSync(join(this.folder, file), { throwIfNoEntry: false }) !== undefined
  }

  private read(file: string): unknown {
    try {
      const stat = lstatSync(join(this.folder, file))
      if (!stat.isFile() || stat.size > MAX_BYTES) return undefined
      return parseJsonOrUndefined(readFileSync(join(this.folder, file), 'utf8'))
    } catch {
      return undefined
    }
  }

  private removeStale(name: string): void {
    const stat = lstatSync(join(this.folder, name), { throwIfNoEntry: false })
    if (stat && Date.now() > stat.mtimeMs + STALE_MS) this.remove([name])
  }
}

/** The process that wrote the entry had no store and may have been failing. Invalid fields are left out. */
function toAuditRecord(entry: unknown, now: number): AuditRecord {
  const note = 'answered without the stored state, and put on record later'
  if (!isObject(entry)) return createStoreRecord('spool', now, `${note}; what was answered cannot be read`)
  const { at, client, event, tool, root, decision, why } = entry
  const text = (value: unknown, fallback: string): string =>
    typeof value === 'string' && value !== '' ? toStorableText(value) : fallback
  return {
    ...createStoreRecord(text(event, 'unread'), typeof at === 'number' && Number.isFinite(at) ? at : now, note),
    client: text(client, 'unknown'),
    ...(typeof tool === 'string' && { tool: toStorableText(tool) }),
    ...(typeof root === 'string' && root !== '' && { root: toStorableText(root) }),
    decision: decision === 'deny' ? 'deny' : 'pass',
    errors: [text(why, 'no reason was given')],
  }
}
