import { closeSync, constants, existsSync, fstatSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Reply } from '../../clients/index.ts'
import { type EventNotices, type NoticeContext, noticeAudience } from './alarm.ts'

/**
 * Counts calls that passed without evaluation and without a message to the person: one byte per call, one file per client. The last resorts
 * write it too. The client's next event that can show a message reports the count.
 */
const fileOf = (state: string, client: string): string => join(state, `unjudged-${client}`)
const MOST = 65_536

/** Whether the client could show the message. */
export const hasMessage = ({ stdout }: Reply): boolean => stdout !== '' && stdout !== '{}'

/** A failure here does not change the reply. */
export function countUnevaluated(state: string, client: string): void {
  try {
    const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants
    const file = openSync(fileOf(state, client), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
    try {
      const stat = fstatSync(file)
      if (stat.isFile() && stat.size < MOST) writeSync(file, '.')
    } finally {
      closeSync(file)
    }
  } catch {
    // stderr has the reason, and the audit log gets it once it can be written
  }
}

/** Adds the count to the notices if this event has an audience, and resets it. */
export function withUnevaluatedNotice(
  told: EventNotices,
  client: string,
  { state, kind, capabilities }: NoticeContext,
): EventNotices {
  const hears = kind && noticeAudience(kind, capabilities)
  return hears ? { ...told, [hears]: [...told[hears], ...takeUnjudged(state, client)] } : told
}

function takeUnjudged(state: string, client: string): readonly string[] {
  const file = fileOf(state, client)
  if (!existsSync(file)) return []
  const mine = `${file}.${process.pid}`
  try {
    // another process may report it at the same moment
    renameSync(file, mine)
    const count = statSync(mine).size
    rmSync(mine, { force: true })
    return count === 0 ? [] : [lineFor(count)]
  } catch {
    return []
  }
}

const lineFor = (count: number): string =>
  `${count === 1 ? 'a call' : `${count} calls`} passed without being judged; \`signalbox log --decision error\` shows why`
