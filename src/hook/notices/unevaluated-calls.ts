import { closeSync, constants, existsSync, fstatSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Reply } from '../../clients/index.ts'
import { type EventNotices, type NoticeContext, noticeAudience } from './alarm.ts'

/**
 * Calls that passed unjudged, and with which the client showed the person nothing: a byte each, in a file for each client. The last resorts write it
 * too. The client's next event with a place for a message says how many there were.
 */
const fileOf = (state: string, client: string): string => join(state, `unjudged-${client}`)
const MOST = 65_536

/** Did the client have a place for the words? */
export const hasMessage = ({ stdout }: Reply): boolean => stdout !== '' && stdout !== '{}'

/** Nothing that goes wrong here changes the answer. */
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
    // it is on stderr, and in the trail as soon as somebody can write that
  }
}

/** With this event, if somebody hears it. The list is gone then. */
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
    // another process may say it at this moment
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
