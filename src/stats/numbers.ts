import { type Counts, nameOf, partsOf } from './counts.ts'
import { type Latency, latencyOf } from './histogram.ts'

/** What one group of events comes to. */
export interface Numbers {
  /** every event the hook was asked about */
  readonly invocations: number
  /** of these, tool calls about to happen */
  readonly calls: number
  readonly denied: number
  readonly asked: number
  /** refused calls among calls; null where there was no call */
  readonly blockRate: number | null
  /** events with a gate that was bypassed */
  readonly bypassed: number
  /** calls that an `allow` list clears */
  readonly whitelisted: number
  /** events with an error of ours */
  readonly errors: number
  readonly latencyMs: Latency
  /** for words that went with refusals; estimated */
  readonly denialTokens: number
}

/** A token of English is about so many characters. */
const CHARS = 4
export const tokensOf = (chars: number): number => Math.ceil(chars / CHARS)

export function numbersOf(counts: Counts): Numbers {
  const times = new Map<number, number>()
  let [invocations, calls] = [0, 0]
  // in one go: there may be thousands of sessions
  for (const [name, n] of counts) {
    if (name.startsWith(EVENT)) invocations += n
    if (name.startsWith(CALL)) calls += n
    if (name.startsWith(TIME)) times.set(Number(name.slice(TIME.length)), n)
  }
  const denied = counts.get(`${CALL}deny`) ?? 0
  return {
    invocations,
    calls,
    denied,
    asked: counts.get(`${CALL}ask`) ?? 0,
    blockRate: calls === 0 ? null : Math.round((denied / calls) * 10_000) / 10_000,
    bypassed: counts.get('bypassed') ?? 0,
    whitelisted: counts.get('whitelisted') ?? 0,
    errors: counts.get('errors') ?? 0,
    latencyMs: latencyOf(times),
    denialTokens: tokensOf(counts.get('chars') ?? 0),
  }
}

const EVENT = nameOf('event', '')
const CALL = nameOf('event', 'tool.before', '')
const TIME = nameOf('ms', '')

/** Counters of one kind, grouped by so many parts of their names: `byFirst(counts, 'gate', 1)` is gate → deed → n. */
export function byFirst(counts: Counts, kind: string, depth: number): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const found = new Map<string, Map<string, number>>()
  for (const [name, n] of counts) {
    const [first, ...rest] = partsOf(name)
    if (first !== kind || rest.length < depth) continue
    const group = rest.slice(0, depth).join('\t')
    const own = found.get(group) ?? new Map<string, number>()
    found.set(group, own)
    own.set(rest.slice(depth).join('\t'), n)
  }
  return found
}

export const latencyIn = (buckets: ReadonlyMap<string, number> = new Map()): Latency =>
  latencyOf(new Map([...buckets].map(([bucket, n]) => [Number(bucket), n])))
