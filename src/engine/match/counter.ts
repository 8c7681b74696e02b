import type { SinceCondition } from '../model/condition.ts'

interface Mark {
  readonly at: number
  readonly turn: number
  readonly operations: number
}

/** The counters and marks of a gate. */
interface Counted extends Readonly<Partial<Record<SinceCondition['mark'], Mark>>> {
  readonly operations: number
  /** counted by the gate itself if its marks count the turns of many sessions */
  readonly turns?: number
}

interface Now {
  readonly turn: number
  /** milliseconds since 1970 */
  readonly now: number
}

/** Turns of all sessions, as a project gate counts them. Older versions stored no count: then the turn of its latest mark. */
export const turnsOf = ({ turns, changed, opened, closed }: Counted): number =>
  turns ?? Math.max(0, ...[changed, opened, closed].map(mark => mark?.turn ?? 0))

/** How many turns, seconds or operations ago; undefined if the gate never opened, or never closed. */
export function countSince(
  { mark, unit }: Omit<SinceCondition, 'atLeast'>,
  own: Counted | undefined,
  { turn, now }: Now,
): number | undefined {
  const last = own?.[mark]
  if (!own || !last) return undefined
  if (unit === 'turns') return (own.turns ?? turn) - last.turn
  return unit === 'seconds' ? (now - last.at) / 1000 : own.operations - last.operations
}

const COUNTER = /^(operations|turns|seconds)(?:\.(opened|closed|changed)(?:\.(\d+))?)?$/

/** The value of a counter in a text: `turns` since the last change, `seconds.opened`; `operations.opened.50` is what is left of 50. */
export function counterText(name: string, own: Counted | undefined, now: Now): string | undefined {
  const [, unit, mark = 'changed', limit] = COUNTER.exec(name) ?? []
  if (unit === undefined) return undefined
  const n = countSince({ unit: unit as SinceCondition['unit'], mark: mark as SinceCondition['mark'] }, own, now)
  if (n === undefined) return ''
  return String(limit === undefined ? Math.floor(n) : Math.max(0, Math.ceil(Number(limit) - n)))
}

/** The counter names that a policy may use. */
export const COUNTER_NAMES = ['operations', 'turns', 'seconds'].flatMap(unit => [
  unit,
  ...['opened', 'closed', 'changed'].map(mark => `${unit}.${mark}`),
])
