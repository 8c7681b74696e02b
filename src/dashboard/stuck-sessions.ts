import type { AuditRecord, SessionKey, TrailReader } from '../store/index.ts'
import type { Archive } from './archive.ts'
import { scanBack } from './scan.ts'
import { isEnd } from './session-end.ts'
import { keyOf } from './session-sums.ts'
import { tailOf } from './sessions.ts'
import { wantedOf } from './timeline.ts'

/** So many calls that were let through are another thing than looking for a way out. */
const CALLS = 3
const MOST = 50
const SEARCH_MS = 40

/** Since it was refused last, the session ended, a person said something, or the agent did other things. */
export function isNoLongerStuck(
  archive: Archive,
  trail: TrailReader,
  stop: SessionKey & { readonly last: number },
): boolean {
  const how = { before: Number.MAX_SAFE_INTEGER, most: MOST, ms: SEARCH_MS }
  const { found } = scanBack(trail, archive.lookup(), wantedOf(stop), how)
  const since = found.map(({ record }) => record).filter(({ at }) => at >= stop.last)
  // the last refusal itself is one of them, where it was not longer ago than what is looked at
  if (since.length === found.length && found.length === MOST) return true
  return since.some(isTurn) || since.filter(isLet).length >= CALLS
}

const isTurn = ({ event }: AuditRecord): boolean => event === 'session.end' || event === 'prompt.submit'

const isLet = ({ event, decision }: AuditRecord): boolean =>
  event === 'tool.before' && (decision === 'pass' || decision === 'allow')

/** Those whose last word was that they are over; they may go on where their agent takes them up again. */
export function endedIn(archive: Archive, trail: TrailReader, sessions: readonly SessionKey[]): ReadonlySet<string> {
  if (sessions.length === 0) return new Set()
  const tail = tailOf(archive, trail)
  const isOver = ({ client, session }: SessionKey): boolean => {
    const last = (tail.get(keyOf({ client, session })) ?? archive.lookup().session(client, session))?.last
    return last !== undefined && isEnd(trail, last)
  }
  return new Set(sessions.filter(isOver).map(keyOf))
}
