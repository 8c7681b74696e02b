import type { Condition, Gate, Program } from '../../../engine/index.ts'

/** Whether conditions ask if files are there, or what calls did to them: only then does the hook look, and the session remember. */
export function fileFactsFor(gates: readonly Gate[]): Pick<Program, 'files'> {
  const conditions = gates.flatMap(({ rules, routes, transitions, counts }) => [
    ...[...rules, ...(routes?.list ?? [])].flatMap(({ when, unless }) => [when, ...(unless ? [unless] : [])]),
    ...transitions.map(({ when }) => when),
    ...(counts ? [counts] : []),
  ])
  const asked = new Set(conditions.flatMap(statesIn))
  if (asked.size === 0) return {}
  const exists = asked.has('exists')
  const known = asked.size > (exists ? 1 : 0)
  return { files: { ...(exists && { exists }), ...(known && { known }) } }
}

function statesIn(condition: Condition): readonly string[] {
  if ('all' in condition) return condition.all.flatMap(statesIn)
  if ('any' in condition) return condition.any.flatMap(statesIn)
  if ('not' in condition) return statesIn(condition.not)
  if ('with' in condition) return statesIn(condition.with)
  return condition.key === 'file' ? condition.in : []
}
