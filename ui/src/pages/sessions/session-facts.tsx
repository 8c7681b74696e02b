import type { AgentLane, SessionRow } from '../../../../src/app/dashboard/api.ts'
import { Time } from '../../parts/time.tsx'
import { fileOf } from '../../words/name.ts'
import { formatCount, plural } from '../../words/number.ts'
import { formatHoursAndMinutes } from '../../words/time.ts'

interface Props {
  readonly row: SessionRow
  readonly lanes: readonly AgentLane[]
}

/** The session in one line. */
export function SessionFacts({ row, lanes }: Props) {
  // old records have no subagent ids: then count the lanes of the shown part
  const agents = row.agents || lanes.length - 1
  // with minutes, both times would look the same
  const as = row.lastAt - row.firstAt < 60_000 ? 'clock' : 'when'
  return (
    <p className="one-line">
      {row.project !== null && <b title={row.project}>{fileOf(row.project)}</b>}
      <span>{row.client}</span>
      <span>
        <Time at={row.firstAt} as={as} /> to <Time at={row.lastAt} as={as} />,{' '}
        {formatHoursAndMinutes(row.lastAt - row.firstAt)}
      </span>
      <span>
        {plural(row.events, 'event')}, {plural(row.calls, 'call')}
      </span>
      <span className="word" data-tone={row.denied > 0 ? 'deny' : 'plain'}>
        {formatCount(row.denied)} denied
      </span>
      <span className="word" data-tone={row.asked > 0 ? 'ask' : 'plain'}>
        {formatCount(row.asked)} asked
      </span>
      {agents > 0 && <span>{plural(agents, 'subagent')}</span>}
      {row.isLive && <span className="tag">may continue</span>}
    </p>
  )
}
