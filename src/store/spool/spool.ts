import { closeSync, lstatSync, mkdirSync, openSync, readdirSync, rmSync, type Stats } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasErrorCode, tryOr } from '../../lib/errors.ts'
import { lstatIfExists, readRegularFile, statIfExists } from '../../lib/files.ts'
import { isObject } from '../../lib/json.ts'
import { sha256 } from '../../lib/sha256.ts'
import { createStoreRecord } from '../audit-log/audit-log.ts'
import type { SqlDriver } from '../sqlite/driver.ts'
import { parseJsonOrUndefined, type SpooledName, toStorableText, writeMeta } from '../sqlite/driver.ts'
import type { AuditRecord } from '../store.ts'

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

  constructor(readonly folder: string) {}

  /** Usually nothing is waiting, and one stat of the folder shows it. */
  waiting(): readonly string[] {
    try {
      const stat = statIfExists(this.folder)
      if (!stat) return NO_FILES
      const stamp = `${stat.ino} ${stat.mtimeMs}`
      if (stamp === this.empty) return NO_FILES
      // only regular files: other entries cannot be removed and would block the files behind them
      const all = readdirSync(this.folder, { withFileTypes: true }).flatMap(dirent =>
        dirent.isFile() ? dirent.name : [],
      )
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
    return lstatIfExists(join(this.folder, file)) !== undefined
  }

  private read(file: string): unknown {
    try {
      if (!lstatSync(join(this.folder, file)).isFile()) return undefined
      return parseJsonOrUndefined(readRegularFile(join(this.folder, file), MAX_BYTES))
    } catch {
      return undefined
    }
  }

  private removeStale(name: string): void {
    const stat = lstatIfExists(join(this.folder, name))
    if (stat && Date.now() > stat.mtimeMs + STALE_MS) this.remove([name])
  }
}

/** The process that wrote the entry had no store and may have been failing. Invalid fields are left out. */
function toAuditRecord(entry: unknown, now: number): AuditRecord {
  const note = 'answered without the stored state and logged later'
  if (!isObject(entry)) return createStoreRecord('spool', now, `${note}; the reply cannot be read`)
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

/**
 * Notes that events were answered but not recorded, because the state could not be written: a person is notified once a session, and
 * the audit log shows the gap. Notes are empty files (they often fit on a full disk), in the state or temp folder, and memory.
 */
export class RecordingGap {
  /** it is known that no event is missing */
  isNone = false
  private since: number | undefined
  private readonly reported = new Set<string>()
  private isChecked = false

  constructor(private readonly state: string) {}

  /** Called for an event that is answered but not recorded. */
  note(now: number): void {
    if (this.since !== undefined) return
    this.since = now
    this.isNone = false
    createMarkerFile(this.folders, GAP_FILE)
  }

  /** Whether this session has not been notified yet; marks it as notified. Undefined if that cannot be recorded. */
  isUnannounced(session: string): boolean | undefined {
    if (this.reported.has(session)) return false
    this.reported.add(session)
    return createMarkerFile(this.folders, session)
  }

  /** Returns the record of the gap, for the first transaction that succeeds. `clear` removes the notes after its commit. */
  record(now: number): readonly AuditRecord[] {
    const since = this.began()
    if (since === undefined) return []
    const from = new Date(Math.min(since, now)).toISOString()
    return [
      createStoreRecord('store.gap', now, `events since ${from} may be missing: the state folder could not be written`),
    ]
  }

  clear(): void {
    if (this.since === undefined) return
    this.reported.clear()
    this.since = undefined
    this.isNone = true
    for (const folder of this.folders.filter(isPrivateFolder)) removeFolder(folder)
  }

  private get folders(): readonly string[] {
    const own = `signalbox-${process.getuid?.() ?? 0}-${sha256(this.state).slice(0, 12)}`
    return [join(this.state, 'unwritten'), join(tmpdir(), own)]
  }

  /** Checks once whether another process has left a note. */
  private began(): number | undefined {
    if (this.since !== undefined || this.isChecked) return this.since
    this.isChecked = true
    const times = this.folders.filter(isPrivateFolder).flatMap(folder => mtimeOf(join(folder, GAP_FILE)))
    this.since = times.length > 0 ? Math.min(...times) : undefined
    this.isNone = this.since === undefined
    return this.since
  }
}

const GAP_FILE = 'gap'

/** Creates the file in the first folder that allows it. False: it exists. Undefined: no folder allows it. */
function createMarkerFile(folders: readonly string[], name: string): boolean | undefined {
  for (const folder of folders) {
    try {
      if (!isPrivateFolder(folder)) mkdirSync(folder, { mode: 0o700 })
      closeSync(openSync(join(folder, name), 'wx', 0o600))
      return true
    } catch (error) {
      if (hasErrorCode(error, 'EEXIST') && isPrivateFolder(folder)) return false
    }
  }
  return undefined
}

/** Any user can create a folder in the temporary folder, so the owner and mode are checked. */
function isPrivateFolder(folder: string): boolean {
  const stat = tryStat(folder)
  return stat?.isDirectory() === true && stat.uid === process.geteuid?.() && (stat.mode & 0o077) === 0
}

function mtimeOf(file: string): readonly number[] {
  const stat = tryStat(file)
  return stat ? [stat.mtimeMs] : []
}

/** A path that cannot be inspected contains no note of ours. That is not an error of the store. */
const tryStat = (path: string): Stats | undefined => tryOr(undefined, () => lstatSync(path))

function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // the gap will be recorded once more
  }
}
