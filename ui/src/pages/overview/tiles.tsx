import type { ReactNode } from 'react'
import type { Overview } from '../../../../src/dashboard/api.ts'
import { href } from '../../route/route.ts'
import { countOf, msOf, percentOf, plural } from '../../words/number.ts'

interface Props {
  readonly overview: Overview
  readonly since: string
  readonly project: string | undefined
}

/** The period in seven numbers. */
export function Tiles({ overview, since, project }: Props) {
  const { totals, sessions, gates } = overview
  const { latencyMs } = totals
  const stray = overview.strayErrors
  const inFeed = (decision: string): string => href(['feed'], { decision, since, project })
  const fired = gates.reduce((sum, one) => sum + one.fired, 0)
  const fixed = gates.reduce((sum, one) => sum + one.fixed, 0)
  return (
    <dl className="tiles">
      <Tile name="Calls" value={countOf(totals.calls)} about={`in ${plural(sessions, 'session')}`} />
      <Tile
        name="Refused"
        tone="deny"
        value={countOf(totals.denied)}
        about={`${percentOf(totals.blockRate)} of calls`}
        to={inFeed('deny')}
      />
      <Tile name="Asked" tone="ask" value={countOf(totals.asked)} about="a person decides" to={inFeed('ask')} />
      <Tile
        name="Agent fixed it"
        value={fired === 0 ? '–' : percentOf(fixed / fired)}
        about={`${countOf(fixed)} of ${plural(fired, 'stop')}`}
      />
      <Tile name="Median time" value={msOf(latencyMs.p50)} about={`95 % within ${msOf(latencyMs.p95)}`} />
      <Tile
        name="Bypassed"
        value={countOf(totals.bypassed)}
        about={`${countOf(totals.whitelisted)} by an allow list`}
      />
      <Tile
        name="Errors"
        value={countOf(totals.errors + stray)}
        about={
          stray === 0 ? 'of Signalbox itself' : `${totals.errors === 0 ? '' : `${countOf(stray)} `}of no known project`
        }
        to={stray > 0 ? href(['feed'], { decision: 'error', since, project: undefined }) : inFeed('error')}
      />
    </dl>
  )
}

interface TileProps {
  readonly name: string
  readonly value: string
  readonly about: ReactNode
  readonly tone?: 'deny' | 'ask'
  readonly to?: string
}

function Tile({ name, value, about, tone, to }: TileProps) {
  return (
    <div className="tile">
      <dt>{name}</dt>
      <dd className="tile-value" data-tone={value === '0' ? undefined : tone}>
        {to && value !== '0' ? <a href={to}>{value}</a> : value}
      </dd>
      <dd className="tile-about">{about}</dd>
    </div>
  )
}
