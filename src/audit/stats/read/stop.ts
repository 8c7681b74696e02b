import { type AuditRecord, isAgentRecord, sha256 } from '../../../store/index.ts'

/** How a stop ended; undefined while it is open, possibly for ever. */
export type StopOutcome = 'fixed' | 'bypassed'

/** An agent stopped at a gate. Begins with the first denial; later denials of the same session belong to it until it ends. */
export interface GateStop {
  readonly at: number
  /** time of the last denial */
  readonly last: number
  readonly gate: string
  readonly rule: string
  /** the denied attempts: a short hash of event kind, tool and actions for each */
  readonly what: readonly string[]
  readonly tries: number
  readonly outcome?: StopOutcome | undefined
}

/** Denials from which an agent counts as stuck: the number at which the denial throttle notifies the person. */
export const STUCK_TRIES = 5
/** Denials of one gate within this time belong to one stop, even for different calls; the same call always does. */
const SAME_STOP_MS = 120_000
/** An agent that keeps rewording its call is matched by its latest attempts. */
const MAX_ATTEMPTS = 8

/** Events that a denial prevents. */
const DENIABLE_EVENTS: ReadonlySet<string> = new Set([
  'tool.before',
  'permission.request',
  'prompt.submit',
  'agent.stop',
  'turn.stop',
  'compact.before',
])

/** The stops of one session after one more record. Unchanged stops are returned as the same objects. */
export function updateStops(stops: readonly GateStop[], record: AuditRecord): readonly GateStop[] {
  const isRefused = record.decision === 'deny' && DENIABLE_EVENTS.has(record.event)
  if (!isAgentRecord(record) || (stops.length === 0 && !isRefused)) return stops
  const what = attemptHash(record)
  const ended = stops.map(stop => (stop.outcome === undefined ? endStop(stop, record, what) : stop))
  if (!isRefused) return ended
  const next = [...ended]
  const refusing = record.matches.filter(match => match.effect === 'deny')
  for (const gate of new Set(refusing.map(match => match.gate))) {
    const isOpen = (stop: GateStop) => stop.gate === gate && stop.outcome === undefined
    const same = next.findIndex(stop => isOpen(stop) && stop.what.includes(what))
    const at = same >= 0 ? same : next.findLastIndex(stop => isOpen(stop) && record.at - stop.last <= SAME_STOP_MS)
    const rule = refusing.find(match => match.gate === gate)?.rule ?? ''
    const found = next[at]
    if (found) next[at] = addDenial(found, what, record.at)
    else next.push({ at: record.at, last: record.at, gate, rule, what: [what], tries: 1 })
  }
  return next
}

const addDenial = (stop: GateStop, what: string, at: number): GateStop => ({
  ...stop,
  last: Math.max(stop.last, at),
  what: [...stop.what.filter(text => text !== what), what].slice(-MAX_ATTEMPTS),
  tries: stop.tries + 1,
})

/** Fixed: the gate opened, or the denied attempt now passes without a match of the gate. */
function endStop(stop: GateStop, { matches, moves, decision }: AuditRecord, what: string): GateStop {
  const own = matches.filter(match => match.gate === stop.gate)
  if (own.some(match => match.bypassed)) return { ...stop, outcome: 'bypassed' }
  const isOpened = moves.some(move => move.gate === stop.gate && move.to === 'open')
  const isLet = (decision === 'pass' || decision === 'allow') && stop.what.includes(what)
  // A gate switched to `observe` meanwhile still matches but lets the call pass: that fixes nothing.
  const isAgainst = own.some(match => match.decision === 'deny' || match.decision === 'ask')
  return isOpened || (isLet && !isAgainst) ? { ...stop, outcome: 'fixed' } : stop
}

/** Identifies a repeated attempt. A hash, not the text: the text stays in the audit log and is removed with it. */
const attemptHash = ({ event, tool = '', acts }: AuditRecord): string =>
  sha256([event, tool, ...acts].join('\n')).slice(0, 16)
