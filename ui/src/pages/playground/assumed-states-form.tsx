import type { GateCard } from '../../../../src/app/dashboard/api.ts'
import type { AssumedStates } from './use-playground.ts'

interface Props {
  readonly gates: readonly GateCard[]
  readonly given: AssumedStates
  readonly change: (given: AssumedStates) => void
}

/** The gate states to assume for the event. */
export function AssumedStatesForm({ gates, given, change }: Props) {
  const moving = gates.filter(gate => gate.initial !== null && gate.mode !== null)
  if (moving.length === 0) return null
  const set = (id: string, state: string): void => {
    const { [id]: _, ...rest } = given
    change(state === 'open' || state === 'closed' ? { ...rest, [id]: state } : rest)
  }
  return (
    <fieldset className="given">
      <legend>Gate states before the event</legend>
      {moving.map(({ id, name, initial }) => (
        <label key={id}>
          <span title={id}>{name}</span>
          <select className="field" value={given[id] ?? ''} onChange={event => set(id, event.target.value)}>
            <option value="">{initial}, initial state</option>
            <option value="open">open</option>
            <option value="closed">closed</option>
          </select>
        </label>
      ))}
    </fieldset>
  )
}
