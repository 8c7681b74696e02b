import type { Gate, Program, Route, Rule } from '../../../engine/index.ts'

const PLACEHOLDER_MESSAGE = 'No.'

/**
 * Simplifies the program: limits become at most two, and texts become a placeholder, since no state depends on them. Thresholds keep
 * their numbers: what an agent can do before a threshold is reached depends on its size.
 */
export function abstractProgram(program: Program): Program {
  const rule = <R extends Rule | Route>({ context: _, warning: __, ...one }: R) => ({
    ...one,
    message: PLACEHOLDER_MESSAGE,
    ...(one.limit !== undefined && { limit: Math.min(one.limit, 2) }),
  })
  const gate = (gate: Gate): Gate => ({
    ...gate,
    transitions: gate.transitions.map(({ message: _, context: __, invalid, ...step }) => ({
      ...step,
      ...(invalid && { invalid: { ...invalid, message: PLACEHOLDER_MESSAGE } }),
    })),
    rules: gate.rules.map(rule),
    ...(gate.routes && { routes: { ...gate.routes, list: gate.routes.list.map(rule) } }),
  })
  return { ...program, gates: program.gates.map(gate) }
}
