import type { Program } from '../core/index.ts'
import type { Condition, Since } from '../pattern/index.ts'
import { atomsOf, rulesOf } from './atom.ts'
import type { Finding, StoryLine } from './finding.ts'
import { shrink } from './shrink.ts'

/** Stories are played with short counts: where one moves a gate or lets a rule speak, how long it is. */
export function withLongCounts(finding: Finding, program: Program): Finding {
  const short = new Map(shrink(program).gates.map(gate => [gate.id, gate]))
  const passed = ({ results }: StoryLine): readonly string[] =>
    program.gates.flatMap(gate => {
      const other = short.get(gate.id)
      const moves = results.flatMap(({ record }) => record.moves.filter(one => one.gate === gate.id))
      const spoke = results.flatMap(({ record }) => (record.gate === gate.id ? (record.rule ?? []) : []))
      const steps = gate.transitions.flatMap((step, at) =>
        moves.some(one => one.to === step.to && step.from.includes(one.from))
          ? longer(step.when, other?.transitions[at]?.when)
          : [],
      )
      const rules = rulesOf(gate).flatMap((rule, at) =>
        spoke.includes(rule.id) ? longer(rule.when, other && rulesOf(other)[at]?.when) : [],
      )
      return [...steps, ...rules]
    })
  return {
    ...finding,
    story: finding.story.map(line => {
      const [first] = passed(line)
      return first === undefined ? line : { ...line, passed: first }
    }),
  }
}

const countersIn = (condition: Condition | undefined): readonly Since[] =>
  condition ? atomsOf(condition).flatMap(atom => (atom.key === 'since' ? atom.counters : [])) : []

/** Counts that are longer than they were played. */
function longer(real: Condition, played: Condition | undefined): readonly string[] {
  const short = countersIn(played)
  return countersIn(real).flatMap(({ unit, atLeast }, at) =>
    unit !== 'seconds' && atLeast > (short[at]?.atLeast ?? atLeast) ? [`… ${atLeast} ${unit} pass`] : [],
  )
}
