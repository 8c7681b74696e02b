import type { AgentSeen } from '../../../../src/dashboard/api.ts'
import { Time } from '../../parts/time.tsx'
import { toneOf } from '../../parts/tone.ts'
import { msOf } from '../../words/number.ts'

const isHere = ({ state }: AgentSeen): boolean => state !== 'unregistered'

/** The agents that were told of Signalbox. */
export function Agents({ agents }: { readonly agents: readonly AgentSeen[] }) {
  const here = agents.filter(isHere)
  if (here.length === 0) return null
  return (
    <ul className="agents" aria-label="Agents">
      {here.map(one => (
        <li key={one.id} title={one.registered.map(({ file }) => file).join('\n')}>
          <i className="lamp" data-tone={toneOf(one.state)} aria-hidden="true" />
          <b>{one.title}</b>
          <span className="word" data-tone={toneOf(one.state)}>
            {one.state === 'enforcing' ? 'proven' : one.state}
          </span>
          <span className="quiet">
            {one.lastCallAt === undefined ? 'never heard' : <Time at={one.lastCallAt} as="ago" />}
            {one.p95Ms !== undefined && <span className="wide-only">, p95 {msOf(one.p95Ms)}</span>}
          </span>
        </li>
      ))}
    </ul>
  )
}
