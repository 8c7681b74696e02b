import { stopsOf } from '../stats/index.ts'
import type { SessionKey } from '../store/index.ts'
import type { GateLine, GateSpan, Lane, SessionDetail, SessionEvent, SessionRow } from './api.ts'
import type { Archive } from './archive.ts'
import { rangesOf } from './lookup-keys.ts'
import type { Query } from './query.ts'
import { notFound } from './refusal.ts'
import { rowOf } from './row.ts'
import { scanBack } from './scan.ts'
import { oneSession, sessionRow } from './sessions.ts'

const MOST = 1000
const SEARCH_MS = 1000
const COUNT_MS = 30
const MOST_STOPS = 200

/** A session as it went: who acted, what was said, and when which gate was open. */
export function timeline(archive: Archive, key: SessionKey, query: Query): SessionDetail {
  const most = query.number('limit', { least: 1, most: MOST }) ?? MOST
  const before = query.number('before') ?? Number.MAX_SAFE_INTEGER
  const found = archive.read(trail => {
    const sums = oneSession(archive, trail, key)
    const wanted = wantedOf(key)
    const scan = scanBack(trail, archive.lookup(), wanted, { before, most, ms: SEARCH_MS })
    if (!sums) return undefined
    const span = { from: sums.firstAt, to: sums.lastAt, most: MOST_STOPS, key }
    return { sums, scan, stops: archive.book(trail, COUNT_MS, book => stopsOf(book, span)) }
  })
  if (!found) throw notFound(`there is no session \`${key.session}\` of \`${key.client}\` on record`)
  const live = archive.sessions(reader => reader.one(key, Date.now()))
  const row = sessionRow(found.sums, live?.root)
  const rows = found.scan.found.map(rowOf).reverse()
  const callers = [...new Set(rows.map(one => one.caller))].sort((a, b) => Number(b === 'main') - Number(a === 'main'))
  const events = rows.map((one): SessionEvent => ({ ...one, lane: callers.indexOf(one.caller) }))
  return {
    row,
    lanes: callers.map((caller, nth) =>
      laneOf(
        caller,
        events.filter(one => one.lane === nth),
      ),
    ),
    events,
    before: found.scan.before,
    gates: linesOf(events, row, new Map(Object.entries(live?.gates ?? {}).map(([id, { state }]) => [id, state]))),
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

const laneOf = (caller: string, events: readonly SessionEvent[]): Lane => ({
  caller,
  firstAt: events[0]?.at ?? 0,
  lastAt: events.at(-1)?.at ?? 0,
  events: events.length,
  denied: events.filter(one => one.decision === 'deny').length,
})

type State = GateSpan['state']

/** One line a gate that moved; and one for each that has a state now, though nothing of what is shown moved it. */
function linesOf(
  events: readonly SessionEvent[],
  row: SessionRow,
  now: ReadonlyMap<string, State>,
): readonly GateLine[] {
  const lines = new Map<string, GateSpan[]>()
  const from = events[0]?.at ?? row.firstAt
  for (const { n, at, moves } of events)
    for (const { gate, from: before, to } of moves) {
      const spans = lines.get(gate) ?? [{ state: before, from, to: null, n: null }]
      lines.set(gate, spans)
      const last = spans.at(-1)
      if (last) spans[spans.length - 1] = { ...last, to: at }
      spans.push({ state: to, from: at, to: null, n })
    }
  for (const [id, state] of now) {
    const [gate = id] = id.split('@')
    if (!lines.has(gate)) lines.set(gate, [{ state, from, to: null, n: null }])
  }
  const end = row.isLive ? null : row.lastAt
  return [...lines].map(([gate, spans]) => ({
    gate,
    name: gate.slice(gate.indexOf('/') + 1),
    spans: spans.map(span => (span.to === null ? { ...span, to: end } : span)),
  }))
}
