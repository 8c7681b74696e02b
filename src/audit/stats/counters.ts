/** Counts by counter name. Counters of different records can be added up. */
export type Counters = Map<string, number>

/** Separates the parts of a counter name. `counterName` replaces tabs in the parts themselves. */
const NAME_SEPARATOR = '\t'

export const counterName = (...parts: readonly string[]): string =>
  (parts.some(part => part.includes(NAME_SEPARATOR))
    ? parts.map(part => part.replaceAll(NAME_SEPARATOR, ' '))
    : parts
  ).join(NAME_SEPARATOR)
export const counterNameParts = (name: string): readonly string[] => name.split(NAME_SEPARATOR)

export const addCount = (counts: Counters, name: string, n = 1): void => {
  counts.set(name, (counts.get(name) ?? 0) + n)
}

export function addCounts(counts: Counters, more: Iterable<readonly [string, number]>): void {
  for (const [name, n] of more) addCount(counts, name, n)
}

/** A flat list of names and numbers: parsing an object with so many keys takes twice as long. */
export const serializeCounters = (counts: Counters): string => JSON.stringify([...counts].flat())

export function parseCounters(json: unknown): Counters {
  const counts: Counters = new Map()
  eachCounter(json, (name, n) => counts.set(name, n))
  return counts
}

export function eachCounter(json: unknown, visit: (name: string, n: number) => void): void {
  const list: readonly unknown[] = JSON.parse(String(json))
  for (let at = 0; at < list.length; at += 2) visit(String(list[at]), Number(list[at + 1]))
}
