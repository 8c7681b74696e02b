import { type Counters, counterName, counterNameParts } from '../counters.ts'
import { type Latency, latencyOf } from '../histogram.ts'
import { type EventSums, latencyBucketsOf, sumOfField } from './sums.ts'

/** What one group of events comes to. */
export interface EventNumbers {
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
  /** events that got past a gate in any way: a bypass, an approval, a variable */
  readonly bypassUsage: number
  /** events that the token of an orchestrated task kept from being refused */
  readonly approvedByToken: number
  /** events that a variable of the environment kept from being refused */
  readonly approvedByVariable: number
  /** calls that an `allow` list clears */
  readonly whitelisted: number
  /** events with an error of ours */
  readonly errors: number
  readonly latencyMs: Latency
  /** for words that went with refusals; estimated */
  readonly denialTokens: number
}

/** A token of English is about so many characters. */
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

/** Counters of one kind, grouped by so many parts of their names: `byFirst(counts, 'gate', 1)` is gate → deed → n. */
export function groupCounters(
  counts: Counters,
  kind: string,
  depth: number,
): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const found = new Map<string, Map<string, number>>()
  const begins = counterName(kind, '')
  for (const [name, n] of counts) {
    // most are of another kind
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
