import type { ReactNode } from 'react'
import type { Overview } from '../../../../src/app/dashboard/api.ts'
import { href } from '../../route/route.ts'
import { formatCount, formatMs, formatPercent, plural } from '../../words/number.ts'
import type { StatisticsScope } from './statistics-scope.ts'

interface Props {
  readonly overview: Overview
  readonly of: StatisticsScope
}

/** Counts only tool calls, because other events can be denied too. */
const CALLS = { event: 'tool.before' }

/** The period in seven numbers, each with a link to its events. */
export function Tiles({ overview, of }: Props) {
  const { totals, sessions, gates } = overview
  const { latencyMs } = totals
  const stray = overview.strayErrors
  const inFeed = (query: Readonly<Record<string, string>>): string => href(['feed'], { ...of, ...query })
  const fired = gates.reduce((sum, one) => sum + one.fired, 0)
  const fixed = gates.reduce((sum, one) => sum + one.fixed, 0)
  const left = gates.reduce((sum, one) => sum + one.other, 0)
  return (
    <dl className="tiles">
      <Tile
        name="Calls"
        value={formatCount(totals.calls)}
        about={`in ${plural(sessions, 'session')}`}
        to={inFeed({ decision: 'deny,ask,allow,pass', ...CALLS })}
      />
      <Tile
        name="Denied"
        tone="deny"
        value={formatCount(totals.denied)}
        about={`${formatPercent(totals.blockRate)} of calls`}
        to={inFeed({ decision: 'deny', ...CALLS })}
      />
      <Tile
        name="Asked"
        tone="ask"
        value={formatCount(totals.asked)}
        about="the user decides"
        to={inFeed({ decision: 'ask', ...CALLS })}
      />
      <Tile
        name="Fixed by agents"
        value={fired === 0 ? '–' : formatPercent(fixed / fired)}
        about={`${formatCount(fixed)} of ${plural(fired, 'stop')}, ${formatCount(left)} other`}
      />
      <Tile name="Median time" value={formatMs(latencyMs.p50)} about={`95 % within ${formatMs(latencyMs.p95)}`} />
      <Tile
        name="Bypass usage"
        value={formatCount(totals.bypassUsage)}
        about={`${formatCount(totals.approvedByToken + totals.approvedByVariable)} approved, ${formatCount(totals.whitelisted)} by an allowlist`}
        to={inFeed({ decision: 'bypass' })}
      />
      <Tile
        name="Errors"
        value={formatCount(totals.errors + stray)}
        about={
          stray === 0
            ? 'in Signalbox itself'
            : `${totals.errors === 0 ? '' : `${formatCount(stray)} `}of unknown projects`
        }
        to={
          stray > 0 ? href(['feed'], { ...of, project: undefined, decision: 'error' }) : inFeed({ decision: 'error' })
        }
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
