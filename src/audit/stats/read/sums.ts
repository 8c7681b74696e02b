import type { Counters } from '../counters.ts'
import { counterName } from '../counters.ts'
import { BUCKET_BOUNDS } from '../histogram.ts'

/** Fields summed for every group of events. The order gives each field its index. */
const COUNTED_FIELDS = [
  ...(['bypassed', 'bypassUsage', 'approvedByToken', 'approvedByVariable'] as const),
  ...(['whitelisted', 'errors', 'chars'] as const),
] as const
const SUM_FIELDS = ['invocations', 'calls', 'denied', 'asked', ...COUNTED_FIELDS] as const
type SumField = (typeof SUM_FIELDS)[number]

/** The fields, then the events per latency bucket. A number list, because it parses fast and there can be thousands of sessions. */
export type EventSums = number[]

const BUCKET_COUNT = BUCKET_BOUNDS.length + 1
export const emptySums = (): EventSums => Array<number>(SUM_FIELDS.length + BUCKET_COUNT).fill(0)
export const sumOfField = (sums: EventSums, field: SumField): number => sums[SUM_FIELDS.indexOf(field)] ?? 0
export function latencyBucketsOf(sums: EventSums): ReadonlyMap<number, number> {
  const times = new Map<number, number>()
  for (let at = SUM_FIELDS.length; at < sums.length; at++)
    if (sums[at]) times.set(at - SUM_FIELDS.length, sums[at] ?? 0)
  return times
}

const EVENT_PREFIX = counterName('event', '')
const CALL_PREFIX = counterName('event', 'tool.before', '')
const TIME_PREFIX = counterName('ms', '')

export function sumsOfCounters(counts: Counters): EventSums {
  const sums = emptySums()
  const put = (field: SumField, n: number) => {
    sums[SUM_FIELDS.indexOf(field)] = sumOfField(sums, field) + n
  }
  for (const [name, n] of counts) {
    if (name.startsWith(EVENT_PREFIX)) put('invocations', n)
    if (name.startsWith(CALL_PREFIX)) put('calls', n)
    if (name.startsWith(TIME_PREFIX)) sums[SUM_FIELDS.length + Number(name.slice(TIME_PREFIX.length))] = n
  }
  put('denied', counts.get(`${CALL_PREFIX}deny`) ?? 0)
  put('asked', counts.get(`${CALL_PREFIX}ask`) ?? 0)
  for (const field of COUNTED_FIELDS) put(field, counts.get(field) ?? 0)
  return sums
}

/** Serializes the fields, then pairs of bucket and count for non-empty buckets. */
export function packSums(counts: Counters): string {
  const sums = sumsOfCounters(counts)
  return JSON.stringify([...sums.slice(0, SUM_FIELDS.length), ...[...latencyBucketsOf(sums)].flat()])
}

export function addPackedSums(sums: EventSums, json: unknown): void {
  const list: readonly number[] = JSON.parse(String(json))
  const put = (place: number, n = 0) => {
    sums[place] = (sums[place] ?? 0) + n
  }
  for (let at = 0; at < SUM_FIELDS.length; at++) put(at, list[at])
  for (let at = SUM_FIELDS.length; at < list.length; at += 2) put(SUM_FIELDS.length + (list[at] ?? 0), list[at + 1])
}
