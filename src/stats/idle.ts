import type { RuleRow } from './rules.ts'
import type { Summary } from './summary.ts'
import { cut } from './table.ts'
import { many, span } from './words.ts'

export const MOST_NAMED = 6

/** Rules of the policy that did not speak. */
export function idle(
  { dead }: Summary,
  { now, width }: { readonly now: number; readonly width: number },
): readonly string[] {
  if (dead.length === 0) return []
  const lines = idleNames(dead).map(({ name, lastAt }) => {
    const since = lastAt === null ? 'never' : `${span(now - lastAt)} ago`
    return `        ${cut(name, Math.max(12, width - 20))}, last ${since}`
  })
  const rest = lines.length > MOST_NAMED ? [`        and ${lines.length - MOST_NAMED} more: --by rule`] : []
  return [`Idle    ${many(dead.length, 'rule')} of the policy did not speak`, ...lines.slice(0, MOST_NAMED), ...rest]
}

/** Of a gate with many rules, a ready-made one as a rule, nobody wants to hear of each. */
const MANY = 3

function idleNames(dead: readonly RuleRow[]): readonly { readonly name: string; readonly lastAt: number | null }[] {
  const gates = new Set(dead.map(one => one.gate))
  return [...gates].flatMap(gate => {
    const own = dead.filter(one => one.gate === gate)
    if (own.length < MANY) return own.map(({ name, rule, lastAt }) => ({ name: `${name} ${rule}`, lastAt }))
    const last = Math.max(...own.map(one => one.lastAt ?? 0))
    return [{ name: `${own[0]?.name} (${own.length} rules)`, lastAt: last === 0 ? null : last }]
  })
}
