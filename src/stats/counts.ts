/** Everything that is counted: the name of a counter, and how often. Counters of any records can be added to those of any others. */
export type Counts = Map<string, number>

/** No gate, rule or client has one in its name: ids come out of YAML keys and JSON strings, and a tab in them is put away here. */
const MARK = '\t'

export const nameOf = (...parts: readonly string[]): string =>
  (parts.some(part => part.includes(MARK)) ? parts.map(part => part.replaceAll(MARK, ' ')) : parts).join(MARK)
export const partsOf = (name: string): readonly string[] => name.split(MARK)

export const add = (counts: Counts, name: string, n = 1): void => {
  counts.set(name, (counts.get(name) ?? 0) + n)
}

export function addAll(counts: Counts, more: Iterable<readonly [string, number]>): void {
  for (const [name, n] of more) add(counts, name, n)
}

/** A list, names and numbers in turn: an object with so many names takes twice the time to read. */
export const stored = (counts: Counts): string => JSON.stringify([...counts].flat())

export function restored(json: unknown): Counts {
  const counts: Counts = new Map()
  eachOf(json, (name, n) => counts.set(name, n))
  return counts
}

export function eachOf(json: unknown, told: (name: string, n: number) => void): void {
  const list: readonly unknown[] = JSON.parse(String(json))
  for (let at = 0; at < list.length; at += 2) told(String(list[at]), Number(list[at + 1]))
}
