import type { Gate } from '../core/index.ts'
import { sharesState } from '../explain/index.ts'
import { stopsOf } from '../stats/index.ts'
import type { AuditRecord, LiveSession, SessionKey } from '../store/index.ts'
import type { Found } from '../trail/index.ts'
import type { Lane, SessionDetail, SessionRow } from './api.ts'
import type { Archive } from './archive.ts'
import { callEnds } from './call-ends.ts'
import { gateLines, type Shown } from './gate-lines.ts'
import { lanesOf } from './lanes.ts'
import { rangesOf } from './lookup-keys.ts'
import { movedMeanwhile, pastOf } from './past.ts'
import type { Query } from './query.ts'
import { notFound } from './refusal.ts'
import { rowOf } from './row.ts'
import { scanBack } from './scan.ts'
import { oneSession, sessionRow } from './sessions.ts'

const MOST = 1000
const SEARCH_MS = 1000
const COUNT_MS = 30
const SORT_MS = 200
const MOST_STOPS = 200

/** The gates of a project. */
export type GatesIn = (root: string) => readonly Gate[]

/** A session as it went: who acted, what was said, and when which gate was open. */
export function timeline(archive: Archive, gatesIn: GatesIn, key: SessionKey, query: Query): SessionDetail {
  const most = query.number('limit', { least: 1, most: MOST }) ?? MOST
  const before = query.number('before') ?? Number.MAX_SAFE_INTEGER
  const found = archive.read(trail => {
    const isCounted = archive.lookup().advance(trail, archive.rootOf(), SORT_MS)
    const sums = oneSession(archive, trail, key)
    const wanted = wantedOf(key)
    const scan = scanBack(trail, archive.lookup(), wanted, { before, most, ms: SEARCH_MS })
    if (!sums) return undefined
    const span = { from: sums.firstAt, to: sums.lastAt, most: MOST_STOPS, key }
    const live = archive.sessions(reader => reader.one(key, Date.now()))
    const row = sessionRow(sums, live?.root, trail)
    return { sums, row, live, scan, isCounted, stops: archive.book(trail, COUNT_MS, book => stopsOf(book, span)) }
  })
  if (!found) throw notFound(`there is no session \`${key.session}\` of \`${key.client}\` on record`)
  const { row, live } = found
  const oldestFirst = [...found.scan.found].reverse()
  const ends = callEnds(oldestFirst)
  const rows = oldestFirst.map(one => {
    const ended = ends.get(one.seq)?.ended
    return { ...rowOf(one), ...(ended !== undefined && { ended }) }
  })
  const { events, lanes } = lanesOf(rows, found.sums.agents)
  const isPart = before <= row.last
  const end = isPart ? (rows.at(-1)?.at ?? row.lastAt) : row.isLive ? null : row.lastAt
  return {
    row,
    isCounted: found.isCounted,
    lanes,
    events,
    before: found.scan.before,
    gates: gateLines({
      ...{ events, lanes, end },
      ...around(archive, gatesIn, { row, isPart }, found.scan.found, live?.gates),
    }),
    stops: found.stops,
  }
}

/** That very session. */
export const wantedOf = ({ client, session }: SessionKey) => {
  const written = `"session":${JSON.stringify(session)}`
  return {
    keys: rangesOf({ session: [session], client: [client], all: true }, undefined),
    couldBe: (json: string) => json.includes(written),
    is: ({ record }: { readonly record: SessionKey }) => record.client === client && record.session === session,
  }
}

/** What is known of the gates beside what is shown. */
function around(
  archive: Archive,
  gatesIn: GatesIn,
  { row: { project }, isPart }: { readonly row: SessionRow; readonly isPart: boolean },
  shown: readonly Found[],
  live: LiveSession['gates'] = {},
): Pick<Shown, 'gates' | 'others' | 'before' | 'now'> {
  const gates = project === null ? [] : gatesIn(project)
  const [newest, oldest] = [shown[0], shown.at(-1)]
  if (project === null || !newest || !oldest) return { gates, others: [], before: () => undefined, now: live }
  const shared = archive.sessions(reader => reader.shared(project)) ?? {}
  const span = { after: oldest.seq, before: isPart ? newest.seq : Number.MAX_SAFE_INTEGER }
  const others = archive.read(trail => movedMeanwhile(archive, trail, newest.record, span, gates)) ?? []
  const past = (record: Found['record']) =>
    archive.read(trail => pastOf(archive, trail, { ...oldest, record }, gates))?.records ?? []
  const whose = (lane: Lane | undefined): Found['record'] => {
    const { agent: _, ...record } = oldest.record
    return lane ? { ...record, caller: lane.caller, ...(lane.agent !== undefined && { agent: lane.agent }) } : record
  }
  const known = new Map<Lane | undefined, readonly AuditRecord[]>()
  const before: Shown['before'] = (gate, lane) => {
    const records = known.get(lane) ?? past(whose(lane))
    known.set(lane, records)
    const moves = records.filter(one => sharesState(gate, whose(lane), one)).flatMap(one => one.moves)
    return moves.findLast(one => one.gate === gate.id)?.to
  }
  return { gates, others, before, now: { ...live, ...shared } }
}
