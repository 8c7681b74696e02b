import {
  type Bypass,
  bypassAppliesIn,
  endBypass,
  type Folders,
  isBypassOver,
  OFF_BYPASS_ID,
  readBypasses,
  storeOptions,
} from '../../../../hook/index.ts'
import { createStoreRecord, SqliteStore } from '../../../../store/index.ts'
import type { Terminal } from '../../command.ts'
import type { ProjectContext } from '../../project.ts'

/** The bypasses active in this project, one line each. */
export function activeBypassLines({ folders, root }: ProjectContext): readonly string[] {
  const now = Date.now()
  return bypassLines(
    activeBypasses(folders, now).filter(bypass => bypassAppliesIn(bypass, root)),
    now,
  )
}

/** All bypasses that have not expired. */
export const activeBypasses = ({ state }: Folders, now: number): readonly Bypass[] =>
  readBypasses(state).filter(bypass => !isBypassOver(bypass, now))

/** Writes a record to the audit log. A failure is only reported, because a bypass is for emergencies. */
export function recordAction(folders: Folders, name: string, note: string, { err }: Terminal): void {
  const now = Date.now()
  const store = new SqliteStore(folders.state, storeOptions(folders))
  try {
    const context = { root: '', now, expiryHours: 1 }
    store.transact({ client: 'signalbox', session: '' }, context, ({ unwritable }) => {
      if (unwritable) throw new Error(unwritable.why)
      return { records: [createStoreRecord(name, now, note)], result: undefined }
    })
  } catch (error) {
    err(`NOT RECORDED  the audit log cannot be written: ${error instanceof Error ? error.message : error}\n`)
  } finally {
    store.close()
  }
}

/** Ends the bypasses, records it, and returns the bypasses that were active. */
export function endBypassesAndRecord(
  folders: Folders,
  ending: readonly Bypass[],
  terminal: Terminal,
): readonly Bypass[] {
  const ended = ending.filter(bypass => endBypass(folders.state, bypass))
  for (const bypass of ended)
    recordAction(folders, bypass.id === OFF_BYPASS_ID ? 'off.end' : 'bypass.end', `${bypass.id} was ended`, terminal)
  return ended
}

/** `14:20` in local time, with the date if it is not today. */
export function formatLocalTime(at: number, now: number): string {
  const date = new Date(at)
  const time = [date.getHours(), date.getMinutes()].map(part => String(part).padStart(2, '0')).join(':')
  return date.toDateString() === new Date(now).toDateString() ? time : `${date.toDateString()} ${time}`
}

/** `45 s`, `10 min`, `1 h 30 min`. */
export function formatDuration(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (ms < 60_000) return `${Math.ceil(ms / 1000)} s`
  if (minutes < 60) return `${minutes} min`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export function bypassLines(bypasses: readonly Bypass[], now: number): readonly string[] {
  return bypasses.map(({ gate, from, until, reason }) => {
    const why = reason ? `: ${reason}` : ''
    if (until === undefined) return `OFF  since ${formatLocalTime(from, now)}${why}`
    return `BYPASSED  ${gate ?? 'every gate that can be bypassed'}, until ${formatLocalTime(until, now)} (${formatDuration(until - now)} left)${why}`
  })
}

const MAX_REASON = 200

/** Puts a reason on one line and limits its length. */
export const toReasonLine = (reason: string): string =>
  reason
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_REASON)
