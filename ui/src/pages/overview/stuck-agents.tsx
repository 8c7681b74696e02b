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
        {stops.map(one => (
          <li key={`${one.client} ${one.session} ${one.gate} ${one.rule}`}>
            <b>{shortClientName(one.client)}</b>
            <a href={href(['sessions', one.client, one.session])} className="mono">
              {shortSessionId(one.session)}
            </a>
            <span>
              at <a href={href(['gates', one.gate], { project: one.project })}>{shortGateName(one.gate)}</a>
              {one.project !== undefined && one.project !== here && (
                <span title={one.project}> in {fileOf(one.project)}</span>
              )}
            </span>
            <span className="quiet">
              {one.tries} tries
              {one.last - one.at < 1000 ? ' in less than a second' : ` in ${formatInLargestUnit(one.last - one.at)}`},
              last <Time at={one.last} as="ago" />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
