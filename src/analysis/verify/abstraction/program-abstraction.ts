import type { Gate, Program, Route, Rule } from '../../../engine/index.ts'

const PLACEHOLDER_MESSAGE = 'No.'

/**
 * The program with less to say: limits become two, and no state depends on words, so there are none. Counts stay as
 * they are: what can be done before one is reached, or within one that has to last, depends on how long it is.
 */
export function abstractProgram(program: Program): Program {
  const rule = <R extends Rule | Route>({ context: _, warning: __, ...one }: R) => ({
    ...one,
    message: PLACEHOLDER_MESSAGE,
    ...(one.limit !== undefined && { limit: Math.min(one.limit, 2) }),
  })
  const gate = (one: Gate): Gate => ({
    ...one,
    transitions: one.transitions.map(({ message: _, context: __, invalid, ...step }) => ({
      ...step,
      ...(invalid && { invalid: { ...invalid, message: PLACEHOLDER_MESSAGE } }),
    })),
    rules: one.rules.map(rule),
    ...(one.routes && { routes: { ...one.routes, list: one.routes.list.map(rule) } }),
  })
  return { ...program, gates: program.gates.map(gate) }
}
