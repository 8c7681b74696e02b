import { type AuditRecord, isAgentRecord, sha256 } from '../../../store/index.ts'

/** How a stop ended; undefined: it has not, and may never. */
export type StopOutcome = 'fixed' | 'bypassed'

/** An agent stopped at a gate, from the first refusal on: the refusals that follow in the same session belong to it until it ends. */
export interface GateStop {
  readonly at: number
  /** when it was refused last */
  readonly last: number
  readonly gate: string
  readonly rule: string
  /** what was refused: the kind of event and its acts, as a short mark each */
  readonly what: readonly string[]
  readonly tries: number
  readonly outcome?: StopOutcome | undefined
}

/** So many refusals and no way out: the number from which the agent is told to stop trying, and the person that it is stuck. */
export const STUCK_TRIES = 5
/** Refusals of one gate that follow each other so soon are of one stop, however they are worded; the same thing always is. */
const SAME_STOP_MS = 120_000
/** An agent that keeps rewording is known by its latest tries. */
const MAX_ATTEMPTS = 8

/** On these a refusal keeps the thing from happening. */
const DENIABLE_EVENTS: ReadonlySet<string> = new Set([
  'tool.before',
  'permission.request',
  'prompt.submit',
  'agent.stop',
  'turn.stop',
  'compact.before',
])

/** The stops of one session after one more record. Those that nothing happened to are the very objects that were given. */
export function updateStops(stops: readonly GateStop[], record: AuditRecord): readonly GateStop[] {
  const isRefused = record.decision === 'deny' && DENIABLE_EVENTS.has(record.event)
  if (!isAgentRecord(record) || (stops.length === 0 && !isRefused)) return stops
  const what = attemptHash(record)
  const ended = stops.map(stop => (stop.outcome === undefined ? endStop(stop, record, what) : stop))
  if (!isRefused) return ended
  const next = [...ended]
  const refusing = record.matches.filter(one => one.effect === 'deny')
  for (const gate of new Set(refusing.map(one => one.gate))) {
    const isOpen = (stop: GateStop) => stop.gate === gate && stop.outcome === undefined
    const same = next.findIndex(stop => isOpen(stop) && stop.what.includes(what))
    const at = same >= 0 ? same : next.findLastIndex(stop => isOpen(stop) && record.at - stop.last <= SAME_STOP_MS)
    const rule = refusing.find(one => one.gate === gate)?.rule ?? ''
    const found = next[at]
    if (found) next[at] = addDenial(found, what, record.at)
    else next.push({ at: record.at, last: record.at, gate, rule, what: [what], tries: 1 })
  }
  return next
}

const addDenial = (stop: GateStop, what: string, at: number): GateStop => ({
  ...stop,
  last: Math.max(stop.last, at),
  what: [...stop.what.filter(one => one !== what), what].slice(-MAX_ATTEMPTS),
  tries: stop.tries + 1,
})

/** Fixed: the gate opened, or what was refused is let through and the gate has nothing against it. */
function endStop(stop: GateStop, { matches, moves, decision }: AuditRecord, what: string): GateStop {
  const own = matches.filter(one => one.gate === stop.gate)
  if (own.some(one => one.bypassed)) return { ...stop, outcome: 'bypassed' }
  const isOpened = moves.some(one => one.gate === stop.gate && one.to === 'open')
  const isLet = (decision === 'pass' || decision === 'allow') && stop.what.includes(what)
  // a gate that was set to observe meanwhile lets by what it would refuse: nobody has fixed anything
  const isAgainst = own.some(one => one.says === 'deny' || one.says === 'ask')
  return isOpened || (isLet && !isAgainst) ? { ...stop, outcome: 'fixed' } : stop
}

/** The same thing asked for again. A mark and not the words: they are in the trail, and go when it goes. */
const attemptHash = ({ event, tool = '', acts }: AuditRecord): string =>
  sha256([event, tool, ...acts].join('\n')).slice(0, 16)
