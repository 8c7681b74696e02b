import { useState } from 'react'
import type { SessionDetail } from '../../../../src/dashboard/api.ts'
import { useQuery } from '../../api/use-query.ts'
import { Answered } from '../../parts/answered.tsx'
import { Back } from '../../parts/back.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { Word } from '../../parts/word.tsx'
import { go, href, useRoute } from '../../route/route.ts'
import { sessionOf } from '../../words/name.ts'
import { DecisionView } from '../feed/decision-view.tsx'
import { SessionFacts } from './session-facts.tsx'
import { Stops } from './stops.tsx'
import { Timeline } from './timeline.tsx'

interface Props {
  readonly client: string
  readonly session: string
}

/** One session: who did what when, and how gates opened and closed meanwhile. */
export function SessionPage({ client, session }: Props) {
  const { query } = useRoute()
  const [before, setBefore] = useState<number>()
  const path = `/api/sessions/${encodeURIComponent(client)}/${encodeURIComponent(session)}`
  const answer = useQuery<SessionDetail>(path, { before }, before === undefined ? { everyMs: 5000 } : {})
  const chosen = query.has('n') ? Number(query.get('n')) : undefined
  const choose = (n: number): void =>
    go(href(['sessions', client, session], { ...Object.fromEntries(query), n: String(n) }), { replace: true })
  return (
    <div className="page">
      <div className="head">
        <Back to={href(['sessions'])} name="Sessions" />
        <h1 className="mono-title" title={session}>
          {sessionOf(session)}
        </h1>
        <p className="about">{client}</p>
        <div className="end">
          <a className="button" href={href(['feed'], { session, client })}>
            As a list
          </a>
        </div>
      </div>
      <Answered answer={answer} rows={10}>
        {detail => (
          <>
            <SessionFacts row={detail.row} lanes={detail.lanes} />
            <Sheet title="Timeline" about={<TimelineKey />}>
              <Timeline detail={detail} chosen={chosen} choose={choose} />
              {(detail.before !== null || before !== undefined) && (
                <p className="inside">
                  {detail.before !== null && (
                    <button type="button" className="button" onClick={() => setBefore(detail.before ?? undefined)}>
                      Earlier events
                    </button>
                  )}{' '}
                  {before !== undefined && (
                    <button type="button" className="button" onClick={() => setBefore(undefined)}>
                      The latest
                    </button>
                  )}
                </p>
              )}
            </Sheet>
            <Chosen detail={detail} chosen={chosen} />
            <Stops stops={detail.stops} />
          </>
        )}
      </Answered>
    </div>
  )
}

const TimelineKey = () => (
  <span className="timeline-key">
    <i className="mark-sample" data-tone="deny" /> denied <i className="mark-sample" data-tone="ask" /> asked{' '}
    <i className="mark-sample" /> let through <i className="mark-sample small" /> other{' '}
    <i className="bar-sample" data-state="closed" /> closed <i className="bar-sample" data-state="open" /> open
  </span>
)

function Chosen({ detail, chosen }: { readonly detail: SessionDetail; readonly chosen: number | undefined }) {
  if (chosen === undefined)
    return (
      <p className="quiet">Choose an event to see why it was decided so; the arrow keys walk along the timeline.</p>
    )
  const event = detail.events.find(one => one.n === chosen)
  return (
    <Sheet
      title={`Decision ${chosen}`}
      about={
        event && (
          <>
            <Word word={event.word} /> <code>{event.what}</code>
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
