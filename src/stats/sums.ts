import type { Counts } from './counts.ts'
import { nameOf } from './counts.ts'
import { BOUNDS } from './histogram.ts'

/** What is told of any group of events. The names stand for places in a list. */
const COUNTED = [
  ...(['bypassed', 'bypassUsage', 'approvedByToken', 'approvedByVariable'] as const),
  ...(['whitelisted', 'errors', 'chars'] as const),
] as const
const FIELDS = ['invocations', 'calls', 'denied', 'asked', ...COUNTED] as const
type Field = (typeof FIELDS)[number]

/** The fields, then how many events are in each bucket of latency: there may be thousands of sessions, and lists of numbers are read quickly. */
export type Sums = number[]

const BUCKETS = BOUNDS.length + 1
export const noSums = (): Sums => Array<number>(FIELDS.length + BUCKETS).fill(0)
export const inSums = (sums: Sums, field: Field): number => sums[FIELDS.indexOf(field)] ?? 0
export function timesIn(sums: Sums): ReadonlyMap<number, number> {
  const times = new Map<number, number>()
  for (let at = FIELDS.length; at < sums.length; at++) if (sums[at]) times.set(at - FIELDS.length, sums[at] ?? 0)
  return times
}

const EVENT = nameOf('event', '')
const CALL = nameOf('event', 'tool.before', '')
const TIME = nameOf('ms', '')

export function sumsOf(counts: Counts): Sums {
  const sums = noSums()
  const put = (field: Field, n: number) => {
    sums[FIELDS.indexOf(field)] = inSums(sums, field) + n
  }
  for (const [name, n] of counts) {
    if (name.startsWith(EVENT)) put('invocations', n)
    if (name.startsWith(CALL)) put('calls', n)
    if (name.startsWith(TIME)) sums[FIELDS.length + Number(name.slice(TIME.length))] = n
  }
  put('denied', counts.get(`${CALL}deny`) ?? 0)
  put('asked', counts.get(`${CALL}ask`) ?? 0)
  for (const field of COUNTED) put(field, counts.get(field) ?? 0)
  return sums
}

/** The fields, then bucket and number in turn for those that have any. */
export function packed(counts: Counts): string {
  const sums = sumsOf(counts)
  return JSON.stringify([...sums.slice(0, FIELDS.length), ...[...timesIn(sums)].flat()])
}

export function addPacked(sums: Sums, json: unknown): void {
  const list: readonly number[] = JSON.parse(String(json))
  const put = (place: number, n = 0) => {
    sums[place] = (sums[place] ?? 0) + n
  }
  for (let at = 0; at < FIELDS.length; at++) put(at, list[at])
  for (let at = FIELDS.length; at < list.length; at += 2) put(FIELDS.length + (list[at] ?? 0), list[at + 1])
}
