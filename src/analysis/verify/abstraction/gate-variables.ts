import type { GateTimestamp, GateVariables, Session, SinceCondition } from '../../../engine/index.ts'

/** The canonical variables of a gate, with keys at three levels of abstraction. */
export interface CanonicalGate {
  readonly id: string
  readonly variables: GateVariables
  readonly key: string
  readonly region: string
  readonly shape: string
}

export const toGateVariables = (gates: readonly CanonicalGate[]): Session['gates'] =>
  Object.fromEntries(gates.map(gate => [gate.id, gate.variables]))

export const gateTimestampKey = ({ at, turn, operations }: GateTimestamp): string => `|${at} ${turn} ${operations}`

export const createGateVariables = (state: 'open' | 'closed', mark: GateTimestamp): GateVariables => ({
  state,
  operations: 0,
  changed: mark,
  ...(state === 'open' ? { opened: mark } : { closed: mark }),
})

/** Transfers variables to another state of the same region: values that `left` did not change since `from` are taken from `other`. */
export function transferUnchanged(
  left: Session['gates'],
  from: Session['gates'],
  other: Session['gates'],
): Session['gates'] {
  return Object.fromEntries(
    Object.entries(left).map(([key, variables]) => {
      const [was, is] = [from[key], other[key]]
      if (!was || !is || variables === was) return [key, is ?? variables]
      const marked = (name: SinceCondition['mark']) => (variables[name] === was[name] ? is[name] : variables[name])
      const [opened, closed] = [marked('opened'), marked('closed')]
      return [
        key,
        {
          ...variables,
          changed: marked('changed') ?? variables.changed,
          ...(opened && { opened }),
          ...(closed && { closed }),
        },
      ]
    }),
  )
}
