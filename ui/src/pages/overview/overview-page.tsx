import type { Overview } from '../../../../src/dashboard/api.ts'
import { useQuery } from '../../api/use-query.ts'
import { Answered } from '../../parts/answered.tsx'
import { Choices } from '../../parts/choices.tsx'
import { Empty } from '../../parts/empty.tsx'
import { useProject, useSituation } from '../../parts/situation.tsx'
import { useRoute } from '../../route/route.ts'
import { Agents } from './agents.tsx'
import { DeadRules } from './dead-rules.tsx'
import { GateTable } from './gate-table.tsx'
import { Stuck } from './stuck.tsx'
import { Tiles } from './tiles.tsx'
import { TopRules } from './top-rules.tsx'
import { Traffic } from './traffic.tsx'
import { Verdict } from './verdict.tsx'

const PERIODS = [
  { value: '24h', title: '24 hours' },
  { value: '7d', title: '7 days' },
  { value: '30d', title: '30 days' },
]

/** Is it enforced, what came of it, and what is of no use. */
export function OverviewPage() {
  const since = useRoute().query.get('since') ?? '7d'
  const situation = useSituation()
  const overview = useQuery<Overview>('/api/overview', { since, project: useProject() }, { everyMs: 15_000 })
  const empty = situation.data?.empty
  return (
    <div className="page">
      <div className="head">
        <h1>Overview</h1>
        <div className="end">
          <Choices name="since" label="Period" value={since} choices={PERIODS} />
        </div>
      </div>
      <Answered answer={situation} rows={3}>
        {data => (
          <div className="sheet">
            <Verdict situation={data} />
            <Agents agents={data.agents} />
          </div>
        )}
      </Answered>
      {empty ? (
        <div className="sheet">
          <Empty empty={empty} />
        </div>
      ) : (
        situation.data && (
          <Answered answer={overview} rows={12}>
            {data => <Numbers overview={data} />}
          </Answered>
        )
      )}
    </div>
  )
}

function Numbers({ overview }: { readonly overview: Overview }) {
  return (
    <>
      {overview.problem && <p className="note-line">{overview.problem}</p>}
      <Stuck stops={overview.stuck} />
      <Tiles overview={overview} />
      <Traffic series={overview.series} />
      <GateTable gates={overview.gates} />
      <div className="columns">
        <TopRules rules={overview.top} />
        <DeadRules dead={overview.dead} overridden={overview.overridden} />
      </div>
    </>
  )
}
