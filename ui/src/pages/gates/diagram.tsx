import type { GateStateLines, GateTransition, LiveGateState } from '../../../../src/app/dashboard/api.ts'
import { TextWithCode } from '../../parts/text-with-code.tsx'
import { shortClientName, shortSessionId } from '../../words/name.ts'

const MOST = 4

interface Props {
  readonly name: string
  readonly states: readonly GateStateLines[]
  readonly moves: readonly GateTransition[]
  readonly live: readonly LiveGateState[]
}

/** A gate's state diagram: the initial state, the transitions with their arrows, the other state. Narrow pages stack them. */
export function Diagram({ name, states, moves, live }: Props) {
  const [first, second] = states
  if (!first || !second) return null
  const box = (one: GateStateLines) => (
    <StateBox
      {...one}
      stays={moves.filter(({ from, to }) => to === one.state && from.includes(to))}
      live={live.filter(({ state }) => state === one.state)}
    />
  )
  return (
    <section className="diagram" aria-label={`States of ${name}`}>
      {box(first)}
      <ul className="moves">
        {moves.flatMap(({ id, from, to, when }) =>
          from
            .filter(state => state !== to)
            .map(state => (
              <li key={`${id} ${state}`} data-way={to === second.state ? 'on' : 'back'}>
                <p className="move-text">
                  <b>{id}</b> <span className="only-read">to {to}: </span>
                  <TextWithCode text={when} />
                </p>
                <i className="arrow" aria-hidden="true" />
              </li>
            )),
        )}
      </ul>
      {box(second)}
    </section>
  )
}

interface StateProps extends GateStateLines {
  readonly stays: readonly GateTransition[]
  readonly live: readonly LiveGateState[]
}

function StateBox({ state, lines, stays, live }: StateProps) {
  const rest = live.length - MOST
  return (
    <div className={`node${live.length > 0 ? ' here' : ''}`}>
      <b>{state}</b>
      {lines.map(line => (
        <p key={line}>
          <TextWithCode text={line} />
        </p>
      ))}
      {stays.map(({ id, when }) => (
        <p key={id}>
          stays {state}: {id}, <TextWithCode text={when} />
        </p>
      ))}
      {live.slice(0, MOST).map(({ client, session, caller }) => (
        <p key={`${client} ${session} ${caller ?? ''}`} className="here-session">
          {shortClientName(client)} <span className="mono">{shortSessionId(session)}</span>
        </p>
      ))}
      {rest > 0 && <p className="here-session">and {rest} more</p>}
    </div>
  )
}
