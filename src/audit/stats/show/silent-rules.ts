import { cutMiddle } from '../../../lib/text-width.ts'
import type { RuleRow } from '../read/rule-rows.ts'
import type { StatsSummary } from '../summary.ts'
import { formatCount, formatInLargestUnit } from './number-format.ts'
import { NAME_END } from './table.ts'

export const MAX_RULES_SHOWN = 6

/** Lists rules of the policy that did not match in the period. */
export function silentRuleLines(
  { unmatched }: StatsSummary,
  { now, width }: { readonly now: number; readonly width: number },
): readonly string[] {
  if (unmatched.length === 0) return []
  const lines = silentRuleNames(unmatched).map(({ name, lastAt }) => {
    const since = lastAt === null ? 'never' : `${formatInLargestUnit(now - lastAt)} ago`
    return `        ${cutMiddle(name, Math.max(12, width - 20), NAME_END)}, last ${since}`
  })
  const rest = lines.length > MAX_RULES_SHOWN ? [`        and ${lines.length - MAX_RULES_SHOWN} more: --by rule`] : []
  return [
    `Idle  ${formatCount(unmatched.length, 'rule')} of the policy did not match`,
    ...lines.slice(0, MAX_RULES_SHOWN),
    ...rest,
  ]
}

/** From this many silent rules on, a gate (usually of a pack) is listed once instead of each rule. */
const MIN_GROUPED = 3

function silentRuleNames(
  unmatched: readonly RuleRow[],
): readonly { readonly name: string; readonly lastAt: number | null }[] {
  const gates = new Set(unmatched.map(row => row.gate))
  return [...gates].flatMap(gate => {
    const own = unmatched.filter(row => row.gate === gate)
    if (own.length < MIN_GROUPED) return own.map(({ name, rule, lastAt }) => ({ name: `${name} ${rule}`, lastAt }))
    const last = Math.max(...own.map(row => row.lastAt ?? 0))
    return [{ name: `${own[0]?.name} (${own.length} rules)`, lastAt: last === 0 ? null : last }]
  })
}
