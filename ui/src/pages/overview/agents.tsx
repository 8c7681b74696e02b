import type { AgentSummary } from '../../../../src/app/dashboard/api.ts'
import { Time } from '../../parts/time.tsx'
import { toneOf } from '../../parts/tone.ts'
import { formatMs } from '../../words/number.ts'

const isHere = ({ state }: AgentSummary): boolean => state !== 'no-hook'

/** The settings files that register the agent, and its latency. The latency covers the latest calls, not the chosen period, and says so. */
const agentText = ({ registered, p95Ms }: AgentSummary): string =>
  [
    ...registered.map(({ file }) => file),
    ...(p95Ms === undefined ? [] : [`of its latest 1,000 calls, 95 % were answered within ${formatMs(p95Ms)}`]),
  ].join('\n')

interface Props {
  readonly agents: readonly AgentSummary[]
  /** the records of earlier calls cannot be read, or are lost */
  readonly areCallsUnknown: boolean
}

/** The registered agents. */
export function Agents({ agents, areCallsUnknown }: Props) {
  const here = agents.filter(isHere)
  if (here.length === 0) return null
  return (
    <ul className="agents" aria-label="Agents">
      {here.map(one => (
        <li key={one.id} title={agentText(one)}>
          <i className="lamp" data-tone={toneOf(one.state)} aria-hidden="true" />
          <b>{one.title}</b>
          <span className="word" data-tone={toneOf(one.state)}>
            {one.state === 'enforcing' ? 'proven' : one.state}
          </span>
          <span className="quiet">
            {one.lastCallAt !== undefined && <Time at={one.lastCallAt} as="ago" />}
            {one.lastCallAt === undefined && !areCallsUnknown && 'no calls yet'}
          </span>
          {one.why !== undefined && one.state !== 'enforcing' && (
            <span className="cut agent-why" title={one.why}>
              {one.why}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
