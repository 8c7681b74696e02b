import { closeSync, lstatSync, mkdirSync, openSync, rmSync, type Stats } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AuditRecord, createStoreRecord } from '../audit-log/audit-log.ts'
import { sha256 } from '../digest.ts'

/**
 * Notes that events were answered but not recorded, because the state could not be written: a person is notified once a session, and
 * the audit log shows the gap. Notes are empty files (they often fit on a full disk), in the state or temp folder, and memory.
 */
export class RecordingGap {
  private since: number | undefined
  private readonly said = new Set<string>()
  private isChecked = false

  constructor(private readonly state: string) {}

  /** Called for an event that is answered but not recorded. */
  note(now: number): void {
    if (this.since !== undefined) return
    this.since = now
    createMarkerFile(this.folders, GAP_FILE)
  }

  /** Whether this session has not been notified yet; marks it as notified. Undefined if that cannot be recorded. */
  isNews(session: string): boolean | undefined {
    if (this.said.has(session)) return false
    this.said.add(session)
    return createMarkerFile(this.folders, session)
  }

  /** Returns the record of the gap, for the first transaction that succeeds. `clear` removes the notes after its commit. */
  record(now: number): readonly AuditRecord[] {
    const since = this.began()
    if (since === undefined) return []
    const from = new Date(Math.min(since, now)).toISOString()
    return [createStoreRecord('store.gap', now, `events since ${from} may be missing: the state could not be written`)]
  }

  clear(): void {
    if (this.since === undefined) return
    this.said.clear()
    this.since = undefined
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
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST' && isPrivateFolder(folder)) return false
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
function tryStat(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}

function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // the gap will be recorded once more
  }
}
