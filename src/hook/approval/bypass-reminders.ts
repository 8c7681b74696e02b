import type { EventRecord } from '../../engine/index.ts'
import { type AuditRecord, createStoreRecord } from '../../store/index.ts'
import type { Bypass } from './bypass.ts'

/** What the person is shown: an active bypass in every reply, `off` only at the start of a session. */
export function bypassReminders(bypasses: readonly Bypass[], isStart: boolean, zone?: string): readonly string[] {
  return bypasses.flatMap(({ gate, from, until, reason }) => {
    const why = reason && `: ${reason}`
    if (until === undefined) return isStart ? [`switched off since ${clockTime(from, zone)}${why}`] : []
    return [`${gate ? `gate "${gate}" is` : 'gates are'} bypassed until ${clockTime(until, zone)}${why}`]
  })
}

/** `14:20`, in the person's own time zone: the daemon may have been started in another. */
const clockTime = (at: number, zone: string | undefined): string => {
  const date = new Date(at)
  if (zone === undefined || zone === process.env.TZ) return timeOf(date.getHours(), date.getMinutes())
  try {
    const there = new Intl.DateTimeFormat('en-GB', {
      hour: '2-digit',
      minute: '2-digit',
      timeZone: zone.replace(/^:/, ''),
    })
    return there.format(date)
  } catch {
    return timeOf(date.getHours(), date.getMinutes())
  }
}

const timeOf = (...parts: readonly number[]): string => parts.map(part => String(part).padStart(2, '0')).join(':')

/** Adds to a record how long the event took, and which bypasses let it past a gate. */
export function withBypassNote(record: EventRecord, bypasses: readonly Bypass[], tookMs: number): AuditRecord {
  const used = record.matches.some(match => match.bypassed)
    ? bypasses.map(({ id, reason }) => `let by: ${id} ${reason}`)
    : []
  return { ...record, notes: [...record.notes, ...used], ms: Math.round(tookMs * 100) / 100 }
}

export const bypassEndRecord = ({ id, reason }: Bypass, now: number): AuditRecord =>
  createStoreRecord('bypass.end', now, `${id} is over: its time has come (${reason})`)
