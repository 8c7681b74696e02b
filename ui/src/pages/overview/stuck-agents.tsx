import type { AgentStop } from '../../../../src/app/dashboard/api.ts'
import { useStatus } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { href } from '../../route/route.ts'
import { fileOf, shortClientName, shortGateName, shortSessionId } from '../../words/name.ts'
import { formatInLargestUnit } from '../../words/time.ts'

interface Props {
  readonly stops: readonly AgentStop[]
  readonly title: string
}

/** Agents that repeat the same denied call. */
export function StuckAgents({ stops, title }: Props) {
  const here = useStatus().data?.project
  if (stops.length === 0) return null
  return (
    <section className="stuck" aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {stops.map(stop => (
          <li key={`${stop.client} ${stop.session} ${stop.gate} ${stop.rule}`}>
            <b>{shortClientName(stop.client)}</b>
            <a href={href(['sessions', stop.client, stop.session])} className="mono">
              {shortSessionId(stop.session)}
            </a>
            <span>
              at <a href={href(['gates', stop.gate], { project: stop.project })}>{shortGateName(stop.gate)}</a>
              {stop.project !== undefined && stop.project !== here && (
                <span title={stop.project}> in {fileOf(stop.project)}</span>
              )}
            </span>
            <span className="quiet">
              {stop.tries} tries
              {stop.last - stop.at < 1000
                ? ' in less than a second'
                : ` in ${formatInLargestUnit(stop.last - stop.at)}`}
              , last <Time at={stop.last} as="ago" />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
