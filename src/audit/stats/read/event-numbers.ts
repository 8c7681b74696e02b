import { type Counters, counterName, counterNameParts } from '../counters.ts'
import { type Latency, latencyOf } from '../histogram.ts'
import { type EventSums, latencyBucketsOf, sumOfField } from './sums.ts'

/** The numbers of one group of events. */
export interface EventNumbers {
  /** all events that the hook received */
  readonly invocations: number
  /** of these, tool calls before they run (`tool.before`) */
  readonly calls: number
  readonly denied: number
  readonly asked: number
  /** denied calls / calls; null if there was no call */
  readonly blockRate: number | null
  /** events with a bypassed gate */
  readonly bypassed: number
  /** events that got past a gate by any of: bypass, approval, variable */
  readonly bypassUsage: number
  /** events that an approval token kept from being denied */
  readonly approvedByToken: number
  /** events that an environment variable kept from being denied */
  readonly approvedByVariable: number
  /** calls covered by an allowlist */
  readonly whitelisted: number
  /** events with an internal error */
  readonly errors: number
  readonly latencyMs: Latency
  /** estimated tokens of denial texts */
  readonly denialTokens: number
}

/** Average length of an English token. */
const CHARS_PER_TOKEN = 4
export const estimateTokens = (chars: number): number => Math.ceil(chars / CHARS_PER_TOKEN)

export function eventNumbersOf(sums: EventSums): EventNumbers {
  const of = (field: Parameters<typeof sumOfField>[1]) => sumOfField(sums, field)
  const [calls, denied] = [of('calls'), of('denied')]
  return {
    invocations: of('invocations'),
    calls,
    denied,
    asked: of('asked'),
    blockRate: calls === 0 ? null : Math.round((denied / calls) * 10_000) / 10_000,
    bypassed: of('bypassed'),
    bypassUsage: of('bypassUsage'),
    approvedByToken: of('approvedByToken'),
    approvedByVariable: of('approvedByVariable'),
    whitelisted: of('whitelisted'),
    errors: of('errors'),
    latencyMs: latencyOf(latencyBucketsOf(sums)),
    denialTokens: estimateTokens(of('chars')),
  }
}

/** Groups counters of one kind by the next `depth` parts of their names: `groupCounters(counts, 'gate', 1)` is gate → effect → n. */
export function groupCounters(
  counts: Counters,
  kind: string,
  depth: number,
): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const found = new Map<string, Map<string, number>>()
  const begins = counterName(kind, '')
  for (const [name, n] of counts) {
    // Most counters are of another kind: skip them before splitting.
    if (!name.startsWith(begins)) continue
    const [, ...rest] = counterNameParts(name)
    if (rest.length < depth) continue
    const group = rest.slice(0, depth).join('\t')
    const own = found.get(group) ?? new Map<string, number>()
    found.set(group, own)
    own.set(rest.slice(depth).join('\t'), n)
  }
  return found
}

export const latencyOfBuckets = (buckets: ReadonlyMap<string, number> = new Map()): Latency =>
  latencyOf(new Map([...buckets].map(([bucket, n]) => [Number(bucket), n])))
