import type { Gate, Program, Route, Rule } from '../core/index.ts'
import type { Condition, Since } from '../pattern/index.ts'
import { atomsOfProgram } from './atom.ts'
import { countsTwice } from './counting.ts'

const WORDLESS = 'No.'

/**
 * The program with its long counts shortened: 50 operations are told from 51 by nothing but their order, so each
 * threshold becomes the next small number after the one below it. Limits become two. Seconds stay: time is waited in one step.
 * No state depends on what is said, so nothing is.
 */
export function shrink(program: Program): Program {
  // where one call is counted by twos, it is not only the order that matters
  const operations = program.gates.some(countsTwice) ? new Map<number, number>() : scale(program, 'operations')
  const short = { operations, turns: scale(program, 'turns') }
  const since = (one: Since): Since =>
    one.unit === 'seconds' ? one : { ...one, atLeast: short[one.unit].get(one.atLeast) ?? one.atLeast }
  const rule = <R extends Rule | Route>({ context: _, warning: __, ...one }: R) => ({
    ...one,
    message: WORDLESS,
    when: changed(one.when, since),
    ...(one.unless && { unless: changed(one.unless, since) }),
    ...(one.limit !== undefined && { limit: Math.min(one.limit, 2) }),
  })
  const gate = (one: Gate): Gate => ({
    ...one,
    ...(one.counts && { counts: changed(one.counts, since) }),
    transitions: one.transitions.map(({ message: _, context: __, invalid, ...step }) => ({
      ...step,
      when: changed(step.when, since),
      ...(invalid && { invalid: { ...invalid, message: WORDLESS } }),
    })),
    rules: one.rules.map(rule),
    ...(one.routes && { routes: { ...one.routes, list: one.routes.list.map(rule) } }),
  })
  return { ...program, gates: program.gates.map(gate) }
}

function scale(program: Program, unit: Since['unit']): ReadonlyMap<number, number> {
  const named = atomsOfProgram(program).flatMap(atom =>
    atom.key === 'since' ? atom.counters.flatMap(one => (one.unit === unit ? [one.atLeast] : [])) : [],
  )
  const sorted = [...new Set(named)].sort((a, b) => a - b)
  const result = new Map<number, number>()
  let last = 1
  for (const value of sorted) {
    const next = Math.min(value, last + 1)
    result.set(value, next)
    last = Math.max(last, next)
  }
  return result
}

/** Conditions without counters stay the very objects they were: answers are remembered by them. */
function changed(condition: Condition, since: (one: Since) => Since): Condition {
  if ('all' in condition) {
    const all = condition.all.map(one => changed(one, since))
    return all.every((one, at) => one === condition.all[at]) ? condition : { all }
  }
  if ('any' in condition) {
    const any = condition.any.map(one => changed(one, since))
    return any.every((one, at) => one === condition.any[at]) ? condition : { any }
  }
  if ('not' in condition) {
    const inner = changed(condition.not, since)
    return inner === condition.not ? condition : { not: inner }
  }
  return condition.key === 'since' ? { ...condition, counters: condition.counters.map(since) } : condition
}
