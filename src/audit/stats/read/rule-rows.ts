import type { Gate } from '../../../engine/index.ts'
import type { MatchOutcome } from '../count-record.ts'
import type { Latency } from '../histogram.ts'
import { estimateTokens, groupCounters, latencyOfBuckets } from './event-numbers.ts'
import { gateDisplayName } from './gate-rows.ts'
import type { StatsData } from './read-stats.ts'

/** What one rule or route did in a period. */
export interface RuleRow {
  readonly gate: string
  readonly name: string
  readonly rule: string
  readonly kind: 'rule' | 'route'
  /** null if the rule is not in the policy in force here */
  readonly mode: string | null
  readonly isRemoved: boolean
  /** events in which it matched */
  readonly fired: number
  readonly decided: number
  /** a stricter decision won, or the agent cannot be given this decision at that event */
  readonly overridden: number
  readonly warned: number
  /** its gate does not block */
  readonly observed: number
  readonly bypassed: number
  /** events that it would have denied without an approval, by a token or a variable; not in `fired` */
  readonly approved: number
  readonly denialTokens: number
  readonly latencyMs: Latency
  /** when it last matched, in or before the period; null if unknown */
  readonly lastAt: number | null
}

export function ruleRows(
  { counts }: StatsData,
  policy: readonly Gate[],
  last: ReadonlyMap<string, number>,
  isOnlyHere = false,
): readonly RuleRow[] {
  const fates = groupCounters(counts, 'rule', 2)
  const times = groupCounters(counts, 'rule ms', 2)
  const chars = groupCounters(counts, 'chars', 2)
  const approved = groupCounters(counts, 'rule approved', 2)
  const written = new Map<string, PolicyRule>(
    policy.flatMap(gate => policyRulesOf(gate).map(rule => [`${gate.id}\t${rule.rule}`, rule] as const)),
  )
  const ids = new Set([...written.keys(), ...[...fates.keys()].sort()])
  return [...ids].map(id => {
    const [gate = '', rule = ''] = id.split('\t')
    const countOf = (outcome?: MatchOutcome): number =>
      [...(fates.get(id) ?? [])].reduce(
        (sum, [name, n]) => sum + (!outcome || name.endsWith(`\t${outcome}`) ? n : 0),
        0,
      )
    return {
      ...{ gate, name: gateDisplayName(gate, policy), rule },
      kind: written.get(id)?.kind ?? 'rule',
      mode: written.get(id)?.mode ?? null,
      isRemoved: isOnlyHere && !written.has(id),
      fired: countOf(),
      decided: countOf('decided'),
      overridden: countOf('overruled'),
      warned: countOf('warned'),
      observed: countOf('watched'),
      bypassed: countOf('bypassed'),
      approved: approved.get(id)?.get('') ?? 0,
      denialTokens: estimateTokens(chars.get(id)?.get('') ?? 0),
      latencyMs: latencyOfBuckets(times.get(id)),
      lastAt: last.get(id) ?? null,
    }
  })
}

type PolicyRule = Pick<RuleRow, 'rule' | 'kind' | 'mode'>

/** Leaves out routes with `allow`: they record no match, so their use cannot be measured. */
const policyRulesOf = ({ rules, routes, mode }: Gate): readonly PolicyRule[] => [
  ...rules.map(({ id }) => ({ rule: id, kind: 'rule' as const, mode })),
  ...(routes?.list ?? []).flatMap(({ id, allow }) => (allow ? [] : [{ rule: id, kind: 'route' as const, mode }])),
]

/** In the policy, but without a match in the period. What passed only because it was approved is the work of its rule. */
export const isSilentRule = ({ mode, fired, approved }: RuleRow): boolean =>
  mode !== null && fired === 0 && approved === 0

/** Every match was bypassed or overruled. */
export const isAlwaysOverridden = ({ mode, fired, bypassed, overridden: overruled }: RuleRow): boolean =>
  mode !== null && fired > 0 && bypassed + overruled === fired
