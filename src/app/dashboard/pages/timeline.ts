import { isSameGateState } from '../../../analysis/simulator/index.ts'
import type { ParsedRecord } from '../../../audit/index.ts'
import { readStops } from '../../../audit/stats/index.ts'
import type { Gate } from '../../../engine/index.ts'
import type { AuditRecord, LiveSession, SessionKey } from '../../../store/index.ts'
import type { AgentLane, SessionDetail, SessionRow } from '../api.ts'
import type { DashboardRecords } from '../archive.ts'
import { agentLanesOf } from '../records/agent-lanes.ts'
import { callResults } from '../records/call-results.ts'
import { decisionRowOf } from '../records/decision-row.ts'
import { gatePastOf, movesOfOtherSessions } from '../records/gate-past.ts'
import { gateTimelines, type TimelineView } from '../records/gate-timelines.ts'
import { lookupRangesOf } from '../records/lookup-keys.ts'
import { scanBackwards } from '../records/scan.ts'
import { notFoundError } from '../server/http-error.ts'
import type { QueryParameters } from '../server/query.ts'
import { findSession, toSessionRow } from './sessions.ts'

const MAX_EVENTS = 1000
const SEARCH_MS = 1000
const COUNT_MS = 30
const SORT_MS = 200
const MAX_STOPS = 200

/** The gates of a project. */
export type GatesOfProject = (root: string) => readonly Gate[]

/** A session as a timeline: callers, decisions, and when each gate was open. */
export function sessionTimeline(
  archive: DashboardRecords,
  gatesIn: GatesOfProject,
  key: SessionKey,
  query: QueryParameters,
): SessionDetail {
  const most = query.number('limit', { least: 1, most: MAX_EVENTS }) ?? MAX_EVENTS
  const before = query.number('before') ?? Number.MAX_SAFE_INTEGER
  const found = archive.read(auditLog => {
    const isCounted = archive.lookup().advance(auditLog, archive.rootOf(), SORT_MS)
    const sums = findSession(archive, auditLog, key)
    const wanted = sessionMatcher(key)
    const scan = scanBackwards(auditLog, archive.lookup(), wanted, { before, most, ms: SEARCH_MS })
    if (!sums) return undefined
    const span = { from: sums.firstAt, to: sums.lastAt, most: MAX_STOPS, key }
    const live = archive.sessions(reader => reader.one(key, Date.now()))
    const row = toSessionRow(sums, live?.root, auditLog)
    return { sums, row, live, scan, isCounted, stops: archive.book(auditLog, COUNT_MS, book => readStops(book, span)) }
  })
  if (!found) throw notFoundError(`no session \`${key.session}\` of \`${key.client}\` is recorded`)
  const { row, live } = found
  const oldestFirst = [...found.scan.found].reverse()
  const ends = callResults(oldestFirst)
  const rows = oldestFirst.map(record => {
    const ended = ends.get(record.seq)?.ended
    return { ...decisionRowOf(record), ...(ended !== undefined && { ended }) }
  })
  const { events, lanes } = agentLanesOf(rows, found.sums.agents)
  const isPart = before <= row.last
  const end = isPart ? (rows.at(-1)?.at ?? row.lastAt) : row.isLive ? null : row.lastAt
  return {
    row,
    isCounted: found.isCounted,
    lanes,
    events,
    before: found.scan.before,
    gates: gateTimelines({
      ...{ events, lanes, end },
      ...gateContextOf(archive, gatesIn, { row, isPart }, found.scan.found, live?.gates),
    }),
    stops: found.stops,
  }
}

/** Matches the records of exactly this session. */
export const sessionMatcher = ({ client, session }: SessionKey) => {
  const written = `"session":${JSON.stringify(session)}`
  return {
    keys: lookupRangesOf({ session: [session], client: [client], all: true }, undefined),
    couldBe: (json: string) => json.includes(written),
    is: ({ record }: { readonly record: SessionKey }) => record.client === client && record.session === session,
  }
}

/** Gate states and moves outside of the shown records. */
function gateContextOf(
  archive: DashboardRecords,
  gatesIn: GatesOfProject,
  { row: { project }, isPart }: { readonly row: SessionRow; readonly isPart: boolean },
  shown: readonly ParsedRecord[],
  live: LiveSession['gates'] = {},
): Pick<TimelineView, 'gates' | 'others' | 'before' | 'now'> {
  const gates = project === null ? [] : gatesIn(project)
  const [newest, oldest] = [shown[0], shown.at(-1)]
  if (project === null || !newest || !oldest) return { gates, others: [], before: () => undefined, now: live }
  const shared = archive.sessions(reader => reader.shared(project)) ?? {}
  const span = { after: oldest.seq, before: isPart ? newest.seq : Number.MAX_SAFE_INTEGER }
  const others = archive.read(auditLog => movesOfOtherSessions(archive, auditLog, newest.record, span, gates)) ?? []
  const past = (record: ParsedRecord['record']) =>
    archive.read(auditLog => gatePastOf(archive, auditLog, { ...oldest, record }, gates))?.records ?? []
  const whose = (lane: AgentLane | undefined): ParsedRecord['record'] => {
    const { agent: _, ...record } = oldest.record
    return lane ? { ...record, caller: lane.caller, ...(lane.agent !== undefined && { agent: lane.agent }) } : record
  }
  const known = new Map<AgentLane | undefined, readonly AuditRecord[]>()
  const before: TimelineView['before'] = (gate, lane) => {
    const records = known.get(lane) ?? past(whose(lane))
    known.set(lane, records)
    const moves = records.filter(record => isSameGateState(gate, whose(lane), record)).flatMap(record => record.moves)
    return moves.findLast(move => move.gate === gate.id)?.to
  }
  return { gates, others, before, now: { ...live, ...shared } }
}
