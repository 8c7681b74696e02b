import type { GateVariables, Session, SinceCondition } from '../../../engine/index.ts'

/** Time, turn and operation count when a gate was opened, closed or changed. */
export type Mark = NonNullable<GateVariables['opened']>

/** A canonical gate memory, with keys at three levels of abstraction. */
export interface CanonicalMemory {
  readonly id: string
  readonly variables: GateVariables
  readonly key: string
  readonly region: string
  readonly shape: string
}

export const toGateMemories = (kept: readonly CanonicalMemory[]): Session['gates'] =>
  Object.fromEntries(kept.map(one => [one.id, one.variables]))

export const markKey = ({ at, turn, operations }: Mark): string => `|${at} ${turn} ${operations}`

export const createGateMemory = (state: 'open' | 'closed', mark: Mark): GateVariables => ({
  state,
  operations: 0,
  changed: mark,
  ...(state === 'open' ? { opened: mark } : { closed: mark }),
})

/** Transfers memories to another state of the same kind: values that `left` did not change since `from` are taken from `other`. */
export function transferUnchanged(
  left: Session['gates'],
  from: Session['gates'],
  other: Session['gates'],
): Session['gates'] {
  return Object.fromEntries(
    Object.entries(left).map(([key, memory]) => {
      const [was, is] = [from[key], other[key]]
      if (!was || !is || memory === was) return [key, is ?? memory]
      const marked = (name: SinceCondition['mark']) => (memory[name] === was[name] ? is[name] : memory[name])
      const [opened, closed] = [marked('opened'), marked('closed')]
      return [
        key,
        {
          ...memory,
          changed: marked('changed') ?? memory.changed,
          ...(opened && { opened }),
          ...(closed && { closed }),
        },
      ]
    }),
  )
}
