import type { Gate } from '../core/index.ts'
import type { Fate } from './count.ts'
import { nameIn } from './gates.ts'
import type { Latency } from './histogram.ts'
import { byFirst, latencyIn, tokensOf } from './numbers.ts'
import type { Found } from './read.ts'

/** What one rule or route did in a period. */
export interface RuleRow {
  readonly gate: string
  readonly name: string
  readonly rule: string
  readonly kind: 'rule' | 'route'
  /** null: its gate, or it, is not in the policy in force here */
  readonly mode: string | null
  readonly gone: boolean
  /** events in which it spoke */
  readonly fired: number
  readonly decided: number
  /** something stricter was said, or the agent could not be told */
  readonly overruled: number
  readonly warned: number
  /** its gate only observes */
  readonly watched: number
  readonly bypassed: number
  readonly denialTokens: number
  readonly latencyMs: Latency
  /** when it spoke last, in or before the period; null: not as far as is known */
  readonly lastAt: number | null
}

export function ruleRows(
  { counts }: Found,
  policy: readonly Gate[],
  last: ReadonlyMap<string, number>,
  isOnlyHere = false,
): readonly RuleRow[] {
  const fates = byFirst(counts, 'rule', 2)
  const times = byFirst(counts, 'rule ms', 2)
  const chars = byFirst(counts, 'chars', 2)
  const written = new Map<string, Written>(
    policy.flatMap(gate => rulesOf(gate).map(one => [`${gate.id}\t${one.rule}`, one] as const)),
  )
  const ids = new Set([...written.keys(), ...[...fates.keys()].sort()])
  return [...ids].map(id => {
    const [gate = '', rule = ''] = id.split('\t')
    const came = (fate?: Fate): number =>
      [...(fates.get(id) ?? [])].reduce((sum, [name, n]) => sum + (!fate || name.endsWith(`\t${fate}`) ? n : 0), 0)
    return {
      ...{ gate, name: nameIn(gate, policy), rule },
      kind: written.get(id)?.kind ?? 'rule',
      mode: written.get(id)?.mode ?? null,
      gone: isOnlyHere && !written.has(id),
      fired: came(),
      decided: came('decided'),
      overruled: came('overruled'),
      warned: came('warned'),
      watched: came('watched'),
      bypassed: came('bypassed'),
      denialTokens: tokensOf(chars.get(id)?.get('') ?? 0),
      latencyMs: latencyIn(times.get(id)),
      lastAt: last.get(id) ?? null,
    }
  })
}

type Written = Pick<RuleRow, 'rule' | 'kind' | 'mode'>

/** Routes that let through speak to nobody, so nobody can say whether they are of use. */
const rulesOf = ({ rules, routes, mode }: Gate): readonly Written[] => [
  ...rules.map(({ id }) => ({ rule: id, kind: 'rule' as const, mode })),
  ...(routes?.list ?? []).flatMap(({ id, allow }) => (allow ? [] : [{ rule: id, kind: 'route' as const, mode }])),
]

/** In the policy, and silent all the time. */
export const isDead = ({ mode, fired }: RuleRow): boolean => mode !== null && fired === 0

/** Each time it spoke, something else was done. */
export const isOverridden = ({ mode, fired, bypassed, overruled }: RuleRow): boolean =>
  mode !== null && fired > 0 && bypassed + overruled === fired
