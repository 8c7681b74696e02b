import type { AgentStop, Overview } from '../../../../src/app/dashboard/api.ts'
import { useQuery } from '../../api/use-query.ts'
import { Choices } from '../../parts/choices.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { useProject, useStatus } from '../../parts/status.tsx'
import { href, useRoute } from '../../route/route.ts'
import { formatCount } from '../../words/number.ts'
import { Agents } from './agents.tsx'
import { DeadRules } from './dead-rules.tsx'
import { GateTable } from './gate-table.tsx'
import { ProtectionStatus } from './protection-status.tsx'
import { statisticsScope } from './statistics-scope.ts'
import { StuckAgents } from './stuck-agents.tsx'
import { Tiles } from './tiles.tsx'
import { TopRules } from './top-rules.tsx'
import { Traffic } from './traffic.tsx'

const PERIODS = [
  { value: '24h', title: '24 hours' },
  { value: '7d', title: '7 days' },
  { value: '30d', title: '30 days' },
]

/** Asks again sooner while records are still being counted. */
const whenAgain = ({ counted }: Overview): number => (counted.upTo < counted.of ? 1500 : 4000)

/** Whether the policy is enforced, what it did, and which rules had no effect. */
export function OverviewPage() {
  const since = useRoute().query.get('since') ?? '7d'
  const situation = useStatus()
  const project = useProject()
  const empty = situation.data?.empty
  // numbers are requested only if there are records
  const path = situation.data && !empty ? '/api/overview' : null
  const overview = useQuery<Overview>(path, { since, project }, { everyMs: whenAgain })
  return (
    <div className="page">
      <div className="head">
        <h1>Overview</h1>
        <div className="end">
          <Choices name="since" label="Period" value={since} choices={PERIODS} />
        </div>
      </div>
      <QueryView answer={situation} rows={3}>
        {data => (
          <div className="sheet">
            <ProtectionStatus situation={data} />
            <Agents
              agents={data.agents}
              areCallsUnknown={data.empty?.cause === 'unreadable' || data.empty?.cause === 'lost'}
            />
          </div>
        )}
      </QueryView>
      {empty ? (
        <div className="sheet">
          <EmptyState empty={empty} />
        </div>
      ) : (
        situation.data && (
          <QueryView answer={overview} rows={12}>
            {data => <Numbers overview={data} project={situation.data?.project} />}
          </QueryView>
        )
      )}
    </div>
  )
}

interface NumbersProps {
  readonly overview: Overview
  readonly project: string | undefined
}

function Numbers({ overview, project }: NumbersProps) {
  const { counted } = overview
  const of = statisticsScope(overview, project)
  const isQuiet = overview.totals.calls === 0 && overview.sessions === 0 && counted.upTo >= counted.of
  const isHere = (stop: AgentStop): boolean => stop.project === undefined || stop.project === project
  const here = overview.stuck.filter(isHere)
  const elsewhere = overview.stuck.filter(one => !isHere(one))
  return (
    <>
      {overview.problem && <p className="note-line">{overview.problem}</p>}
      {counted.upTo < counted.of && (
        <p className="note-line" role="status">
          Still counting: {formatCount(counted.upTo)} of {formatCount(counted.of)} records so far, oldest first. The
          latest days follow.
        </p>
      )}
      <StuckAgents stops={here} title="Stuck now" />
      {isQuiet && (
        <p className="note-line" role="status">
          No agent called from this project in this period. <a href={href(['feed'])}>Show all projects</a>
        </p>
      )}
      <Tiles overview={overview} of={of} />
      <Traffic series={overview.series} p95={overview.p95} />
      <GateTable gates={overview.gates} />
      <div className="columns">
        <TopRules rules={overview.top} of={of} />
        {!isQuiet && <DeadRules dead={overview.unmatched} overridden={overview.overridden} />}
      </div>
      <StuckAgents stops={elsewhere} title="Stuck in other projects" />
    </>
  )
}
