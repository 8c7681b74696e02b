import type { GateDetail } from '../../../../src/app/dashboard/api.ts'
import { useQuery } from '../../api/use-query.ts'
import { BackLink } from '../../parts/back-link.tsx'
import { Mode } from '../../parts/mode.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { useProject } from '../../parts/status.tsx'
import { href } from '../../route/route.ts'
import { shortGateName } from '../../words/name.ts'
import { DenialList } from '../sessions/denial-list.tsx'
import { Diagram } from './diagram.tsx'
import { GateFacts } from './gate-facts.tsx'
import { History } from './history.tsx'
import { LiveStates } from './live-states.tsx'
import { NextSteps } from './next-steps.tsx'
import { Rules } from './rules.tsx'

/** One gate: its diagram, live states, history, and what the next mode would do. */
export function GatePage({ id }: { readonly id: string }) {
  const path = `/api/gates/${encodeURIComponent(id)}`
  const answer = useQuery<GateDetail>(path, { project: useProject(), since: '30d' }, { everyMs: 5000 })
  const card = answer.data?.card
  return (
    <div className="page">
      <div className="head">
        <BackLink to={href(['gates'])} name="Gates" />
        <h1 title={id}>{card?.name ?? shortGateName(id)}</h1>
        {card && <Mode mode={card.mode} />}
        {card?.at && <code className="at">{card.at}</code>}
      </div>
      <QueryView answer={answer} rows={10}>
        {detail => <Detail detail={detail} />}
      </QueryView>
    </div>
  )
}

function Detail({ detail }: { readonly detail: GateDetail }) {
  const { card, next } = detail
  return (
    <>
      {card.about && <p>{card.about}</p>}
      <GateFacts card={card} />
      <NextSteps next={next} mode={card.mode} />
      {card.initial === null ? (
        <Rules rules={detail.rules} moves={detail.moves} />
      ) : (
        <>
          {detail.states.length > 0 && (
            <Sheet title="States" about="marks show the current state of live sessions">
              <Diagram name={card.name} states={detail.states} moves={detail.moves} live={detail.live} />
            </Sheet>
          )}
          <div className="columns">
            <LiveStates live={detail.live} />
            <Rules rules={detail.rules} moves={detail.moves} />
          </div>
        </>
      )}
      <History page={detail.history} gate={card.id} />
      <DenialList stops={detail.stops} isOfMany />
    </>
  )
}
