import { lstatSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../../lib/json.ts'
import { type AuditRecord, createStoreRecord } from '../audit-log/audit-log.ts'
import { toStorableText } from '../digest.ts'
import type { SqlDriver } from '../sqlite/driver.ts'
import { type SpooledName, writeMeta } from '../sqlite/meta.ts'
import { parseJsonOrUndefined } from '../sqlite/validate-row.ts'

/** So many join with one event: it has no time for more. */
const MAX_PER_EVENT = 64
const MAX_BYTES = 4096
/** the file system's clock is no finer than this */
const MTIME_RESOLUTION_MS = 20
/** whoever was writing it has ended */
const STALE_MS = 60_000

const NO_FILES: readonly string[] = []
const spooledNameOf = (file: string): SpooledName => `spooled ${file}`

/** Answers that were given without the store, one file each, waiting to be put on record. */
export class Spool {
  /** the folder as it was when nothing was in it */
  private empty = ''

  constructor(private readonly folder: string) {}

  /** Almost always nobody: one look at the folder. */
  waiting(): readonly string[] {
    try {
      const stat = statSync(this.folder, { throwIfNoEntry: false })
      if (!stat) return NO_FILES
      const stamp = `${stat.ino} ${stat.mtimeMs}`
      if (stamp === this.empty) return NO_FILES
      // what is no file is no answer, and cannot be removed: it must not stand in the way of those that are
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
   * Inside a transaction: the records of those that are not on record yet. Their names are noted with them, and stay until the file is seen to be
   * gone: who ends between the commit and the removal leaves a file that is known.
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

  /** After the commit. */
  remove(names: readonly string[]): void {
    for (const name of names) {
      try {
        rmSync(join(this.folder, name), { force: true, recursive: false })
      } catch {
        // it is known, and counts no more
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

/** Whoever wrote it had no store, and perhaps little else: what is not as it should be is left out. */
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
