import type { StopSeen } from '../../../../src/dashboard/api.ts'
import { Time } from '../../parts/time.tsx'
import { href } from '../../route/route.ts'
import { clientOf, gateOf, sessionOf } from '../../words/name.ts'
import { spanOf } from '../../words/time.ts'

/** Agents that try the same thing again and again. */
export function Stuck({ stops }: { readonly stops: readonly StopSeen[] }) {
  if (stops.length === 0) return null
  return (
    <section className="stuck" aria-label="Stuck now">
      <h2>Stuck now</h2>
      <ul>
        {stops.map(one => (
          <li key={`${one.client} ${one.session} ${one.gate} ${one.rule}`}>
            <b>{clientOf(one.client)}</b>
            <a href={href(['sessions', one.client, one.session])} className="mono">
              {sessionOf(one.session)}
            </a>
            <span>
              at <a href={href(['gates', one.gate])}>{gateOf(one.gate)}</a>
            </span>
            <span className="quiet">
              {one.tries} tries in {spanOf(one.last - one.at)}, last <Time at={one.last} as="ago" />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
