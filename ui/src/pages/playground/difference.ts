import type { PlaygroundVerdict } from '../../../../src/app/dashboard/api.ts'

type Gate = PlaygroundVerdict['explained'][number]['gates'][number]
type Gates = ReadonlyMap<string, Gate>

/** What a draft changes for an event, gate by gate, also if the decision is the same. */
export function differencesOf(now: PlaygroundVerdict, draft: PlaygroundVerdict): readonly string[] {
  const lines = now.explained.flatMap((one, nth) => {
    const other = draft.explained[nth]
    return other ? between(byId(one.gates), byId(other.gates)) : []
  })
  const [was, is] = [reasonsOf(now), reasonsOf(draft)]
  const hasOther = lines.length === 0 && now.decision === draft.decision && was !== is
  return [...new Set([...lines, ...(hasOther ? ['the agent gets another message'] : [])])]
}

const byId = (gates: readonly Gate[]): Gates => new Map(gates.map(gate => [gate.gate, gate]))
const reasonsOf = ({ explained }: PlaygroundVerdict): string => explained.map(({ reason }) => reason).join('\n')

function between(now: Gates, draft: Gates): readonly string[] {
  const gone = [...now.values()].filter(one => !draft.has(one.gate)).map(one => `\`${one.name}\` is not in the draft`)
  const rest = [...draft.values()].flatMap(one => {
    const before = now.get(one.gate)
    if (!before) return [`\`${one.name}\` is new`]
    const parts = [
      ...changed('mode', before.mode, one.mode),
      ...changed('answer', before.verdict, one.verdict),
      ...changed('state', stateOf(before), stateOf(one)),
      ...rulesBetween(before, one),
    ]
    return parts.length === 0 ? [] : [`\`${one.name}\`: ${parts.join(', ')}`]
  })
  return [...gone, ...rest]
}

const changed = (what: string, from: string, to: string): readonly string[] =>
  from === to ? [] : [`${what} ${from} → ${to}`]

const stateOf = ({ stateBefore: was, state, stateAfter: becomes }: Gate): string =>
  [was ?? state ?? 'none', becomes].filter(Boolean).join(' to ')

/** Compares rules by effect and result. */
function rulesBetween(before: Gate, after: Gate): readonly string[] {
  const kindOf = ({ decision, result }: Gate['rules'][number]): string => `${decision} ${result}`
  const known = new Map(before.rules.map(rule => [rule.rule, rule]))
  const ids = new Set(after.rules.map(rule => rule.rule))
  return [
    ...before.rules.filter(rule => !ids.has(rule.rule)).map(rule => `rule ${rule.rule} is gone`),
    ...after.rules.flatMap(rule => {
      const old = known.get(rule.rule)
      if (!old) return [`rule ${rule.rule} is new`]
      if (kindOf(old) === kindOf(rule)) return []
      return [
        old.decision === rule.decision
          ? `rule ${rule.rule} ${matchText(rule)}`
          : `rule ${rule.rule} ${old.decision} → ${rule.decision}`,
      ]
    }),
  ]
}

const MATCHING: ReadonlySet<string> = new Set(['fires', 'unsure', 'lets'])
const matchText = ({ result: fate }: Gate['rules'][number]): string =>
  MATCHING.has(fate) ? 'matches' : 'does not match'
