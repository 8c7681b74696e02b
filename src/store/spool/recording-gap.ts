import { closeSync, lstatSync, mkdirSync, openSync, rmSync, type Stats } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AuditRecord, createStoreRecord } from '../audit-log/audit-log.ts'
import { sha256 } from '../digest.ts'

/**
 * Notes that events were answered and not recorded, since the state could not be written: so that a person hears of it once a session, and the trail
 * shows the gap. Empty files, which often still find a place on a full disk; else in the folder for temporary files; and in the memory of a process that stays.
 */
export class RecordingGap {
  private since: number | undefined
  private readonly said = new Set<string>()
  private isChecked = false

  constructor(private readonly state: string) {}

  /** An event that is answered now is not recorded. */
  note(now: number): void {
    if (this.since !== undefined) return
    this.since = now
    createMarkerFile(this.folders, GAP_FILE)
  }

  /** Is it new to this session? Undefined: nobody can keep that it was said. */
  isNews(session: string): boolean | undefined {
    if (this.said.has(session)) return false
    this.said.add(session)
    return createMarkerFile(this.folders, session)
  }

  /** Inside of the first transaction that can be: the record of the gap. What is noted goes with `clear`, after the commit. */
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

  /** A process looks once whether another one has left a note. */
  private began(): number | undefined {
    if (this.since !== undefined || this.isChecked) return this.since
    this.isChecked = true
    const times = this.folders.filter(isPrivateFolder).flatMap(folder => mtimeOf(join(folder, GAP_FILE)))
    this.since = times.length > 0 ? Math.min(...times) : undefined
    return this.since
  }
}

const GAP_FILE = 'gap'

/** In the first folder that takes it. False: it is there. */
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

/** Anybody may make a folder among the temporary files. */
function isPrivateFolder(folder: string): boolean {
  const stat = tryStat(folder)
  return stat?.isDirectory() === true && stat.uid === process.geteuid?.() && (stat.mode & 0o077) === 0
}

function mtimeOf(file: string): readonly number[] {
  const stat = tryStat(file)
  return stat ? [stat.mtimeMs] : []
}

/** What may not be looked into holds no note of ours, and is no fault of the state. */
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
    // the gap is on record then once more
  }
}
