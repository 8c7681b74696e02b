import type { Adopted, OwnHook } from '../clients/adopts.ts'
import type { Found } from './own-hooks.ts'

/** A hook, and what becomes of it; a text: why it stays. */
export interface Judged {
  readonly own: Found
  readonly fate: Adopted | string
  /** it goes together with the same one before it */
  readonly again?: true
}

/** What the agent runs once for a call runs once in the policy too. */
export function onceEach(judged: readonly Judged[], same: (own: OwnHook) => string): readonly Judged[] {
  const families: Judged[][] = []
  for (const one of judged) {
    const isTwin = (other: Judged): boolean =>
      other.own.event === one.own.event && same(other.own) === same(one.own) && meet(other, one)
    const known = families.filter(family => family.some(isTwin))
    for (const family of known) families.splice(families.indexOf(family), 1)
    families.push([...known.flat(), one])
  }
  const settled = new Map(families.flatMap(settle))
  return judged.map(one => settled.get(one) ?? one)
}

/** Two that name different tools are never run for the same call. */
function meet({ fate: a }: Judged, { fate: b }: Judged): boolean {
  if (typeof a === 'string' || typeof b === 'string') return true
  const names = a.matcher
  if (!names || !b.matcher || [...names, ...b.matcher].some(one => typeof one !== 'string')) return true
  return b.matcher.some(one => names.includes(one))
}

/** One hook for all of their tools. Where they differ in anything else only the agent knows which of them counts. */
function settle(family: readonly Judged[]): readonly (readonly [Judged, Judged])[] {
  const fates = family.flatMap(({ fate }) => (typeof fate === 'string' ? [] : [fate]))
  const [first] = fates
  if (family.length === 1 || !first) return family.map(one => [one, one])
  const isOdd = fates.length < family.length || fates.some(one => plain(one) !== plain(first))
  if (isOdd) return family.map(one => [one, typeof one.fate === 'string' ? one : { own: one.own, fate: ODD }])
  const { matcher: _, ...rest } = first
  const tools = fates.flatMap(({ matcher = [] }) => matcher).map(one => JSON.stringify(one))
  const isAll = fates.some(({ matcher }) => matcher === undefined)
  const fate = isAll ? rest : { ...first, matcher: [...new Set(tools)].map(one => JSON.parse(one)) }
  return family.map((one, nth) => [one, { own: one.own, fate, ...(nth > 0 && { again: true as const }) }])
}

const ODD = 'it stands there more than once, not the same way, and the agent runs one of them'

const plain = ({ matcher: _, ...rest }: Adopted): string => JSON.stringify(rest)
