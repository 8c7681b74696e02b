import { lazy, Suspense } from 'react'
import type { GateDetail } from '../../../../src/dashboard/api.ts'
import { useQuery } from '../../api/use-query.ts'
import { Answered } from '../../parts/answered.tsx'
import { Back } from '../../parts/back.tsx'
import { Mode } from '../../parts/mode.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { useProject } from '../../parts/situation.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { href } from '../../route/route.ts'
import { gateOf } from '../../words/name.ts'
import { Stops } from '../sessions/stops.tsx'
import { GateFacts } from './gate-facts.tsx'
import { History } from './history.tsx'
import { LiveStates } from './live-states.tsx'
import { Next } from './next.tsx'
import { Rules } from './rules.tsx'

const Diagram = lazy(() => import('./diagram.tsx'))

/** One gate: how it moves, where it stands, what it did, and what it would do. */
export function GatePage({ id }: { readonly id: string }) {
  const path = `/api/gates/${encodeURIComponent(id)}`
  const answer = useQuery<GateDetail>(path, { project: useProject(), since: '30d' }, { everyMs: 5000 })
  const card = answer.data?.card
  return (
    <div className="page">
      <div className="head">
        <Back to={href(['gates'])} name="Gates" />
        <h1 title={id}>{card?.name ?? gateOf(id)}</h1>
        {card && <Mode mode={card.mode} />}
        {card?.at && <code className="at">{card.at}</code>}
      </div>
      <Answered answer={answer} rows={10}>
        {detail => <Detail detail={detail} />}
      </Answered>
    </div>
  )
}

function Detail({ detail }: { readonly detail: GateDetail }) {
  const { card, next } = detail
  return (
    <>
      {card.about && <p>{card.about}</p>}
      <GateFacts card={card} />
      <Next next={next} mode={card.mode} />
      {card.initial === null ? (
        <Rules rules={detail.rules} moves={detail.moves} />
      ) : (
        <>
          {detail.mermaid && (
            <Sheet title="States" about="sessions stand where they are marked">
              <Suspense fallback={<Skeleton rows={6} />}>
                <Diagram text={detail.mermaid} live={detail.live} name={card.name} />
              </Suspense>
            </Sheet>
          )}
          <div className="columns">
            <LiveStates live={detail.live} />
            <Rules rules={detail.rules} moves={detail.moves} />
          </div>
        </>
      )}
      <History page={detail.history} gate={card.id} />
      <Stops stops={detail.stops} isOfMany />
    </>
  )
}
