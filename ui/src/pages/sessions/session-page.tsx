import { useState } from 'react'
import type { SessionDetail } from '../../../../src/app/dashboard/api.ts'
import { useQuery } from '../../api/use-query.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { CallEndBadge } from '../../parts/call-end.tsx'
import { DecisionBadge } from '../../parts/decision-badge.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { changeQuery, href, navigate, useRoute } from '../../route/route.ts'
import { shortSessionId } from '../../words/name.ts'
import { DecisionView } from '../feed/decision-view.tsx'
import { DenialList } from './denial-list.tsx'
import { type Cursor, PageTurner } from './page-turner.tsx'
import { SessionFacts } from './session-facts.tsx'
import { Timeline } from './timeline.tsx'

interface Props {
  readonly client: string
  readonly session: string
}

/** One session: events by caller, and when gates opened and closed. */
export function SessionPage({ client, session }: Props) {
  const route = useRoute()
  const { query } = route
  const [walked, setWalked] = useState<readonly Cursor[]>([])
  const cursors = cursorsIn(query, walked)
  const turn = (next: readonly Cursor[]): void => {
    setWalked(next)
    const last = next.at(-1)
    changeQuery(route, { before: last && String(last.before), later: last && String(last.later) })
  }
  const before = cursors.at(-1)?.before
  const path = `/api/sessions/${encodeURIComponent(client)}/${encodeURIComponent(session)}`
  const everyMs = ({ isCounted }: SessionDetail): number | undefined => {
    if (!isCounted) return 1000
    return before === undefined ? 5000 : undefined
  }
  const answer = useQuery<SessionDetail>(path, { before }, { everyMs })
  const chosen = numberIn(query, 'n')
  const choose = (n: number): void =>
    navigate(href(['sessions', client, session], { ...Object.fromEntries(query), n: String(n) }), { replace: true })
  return (
    <div className="page">
      <div className="head">
        <BackLink to={href(['sessions'])} name="Sessions" />
        <h1 className="mono-title" title={session}>
          {shortSessionId(session)}
        </h1>
        <div className="end">
          <a className="button" href={href(['feed'], { session, client })}>
            As a list
          </a>
        </div>
      </div>
      <QueryView answer={answer} rows={10}>
        {detail => (
          <>
            <SessionFacts row={detail.row} lanes={detail.lanes} />
            <Sheet title="Timeline" about={<TimelineKey />}>
              <PageTurner detail={detail} cursors={cursors} isStale={answer.isStale} turn={turn} />
              <Timeline detail={detail} chosen={chosen} choose={choose} />
            </Sheet>
            <Chosen detail={detail} chosen={chosen} />
            <DenialList stops={detail.stops} />
          </>
        )}
      </QueryView>
    </div>
  )
}

const numberIn = (query: URLSearchParams, key: string): number | undefined =>
  /^\d{1,15}$/.test(query.get(key) ?? '') ? Number(query.get(key)) : undefined

/** The address names the shown part; the parts visited before are known only in this page's state. */
function cursorsIn(query: URLSearchParams, walked: readonly Cursor[]): readonly Cursor[] {
  const before = numberIn(query, 'before')
  if (before === undefined) return []
  const nth = walked.findIndex(one => one.before === before)
  return nth < 0 ? [{ before, later: numberIn(query, 'later') ?? 0 }] : walked.slice(0, nth + 1)
}

const KEY = [
  { className: 'mark-sample', 'data-tone': 'deny', label: 'denied' },
  { className: 'mark-sample', 'data-tone': 'ask', label: 'asked' },
  { className: 'mark-sample', 'data-tone': 'would', label: 'would stop' },
  { className: 'mark-sample', label: 'let through' },
  { className: 'mark-sample', 'data-end': 'failed', label: 'let through, failed' },
  { className: 'mark-sample ring', label: 'prompt' },
  { className: 'mark-sample small', label: 'other' },
  { className: 'bar-sample', 'data-state': 'closed', label: 'closed' },
  { className: 'bar-sample', 'data-state': 'open', label: 'open' },
]

const TimelineKey = () => (
  <span className="timeline-key">
    {KEY.map(({ label, ...sample }) => (
      <span key={label}>
        <i {...sample} /> {label}
      </span>
    ))}
  </span>
)

function Chosen({ detail, chosen }: { readonly detail: SessionDetail; readonly chosen: number | undefined }) {
  if (chosen === undefined)
    return (
      <p className="quiet">
        Choose an event to see the reason for its decision. The arrow keys move along the timeline.
      </p>
    )
  const event = detail.events.find(one => one.n === chosen)
  return (
    <Sheet
      title={`Decision ${chosen}`}
      about={
        event && (
          <>
            <DecisionBadge word={event.outcome} /> {detail.lanes.length > 1 && `${detail.lanes[event.lane]?.name} `}
            <code>{event.what}</code> <CallEndBadge ended={event.ended} />
          </>
        )
      }
    >
      <div className="inside">
        <DecisionView key={chosen} n={chosen} />
      </div>
    </Sheet>
  )
}
