import type { WorkflowList } from '../../../../src/app/dashboard/api.ts'
import { useQuery } from '../../api/use-query.ts'
import { EmptyPage } from '../../parts/empty-page.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { useChosenProject } from '../../parts/status.tsx'
import { plural } from '../../words/number.ts'
import { RunSheet } from './run-sheet.tsx'

/** Workflow runs, latest first, with their steps and artifacts. */
export function WorkflowsPage() {
  const project = useChosenProject()
  const answer = useQuery<WorkflowList>('/api/workflows', { project }, { everyMs: 5000 })
  return (
    <div className="page">
      <div className="head">
        <h1>Workflows</h1>
        <p className="about">several steps in order, each done by an agent</p>
      </div>
      <QueryView answer={answer} rows={8}>
        {({ runs, defined }) => (
          <>
            {runs.map(run => (
              <RunSheet key={run.id} run={run} />
            ))}
            {runs.length === 0 && defined.length > 0 && <Defined defined={defined} />}
            {runs.length === 0 && defined.length === 0 && (
              <div className="sheet">
                <EmptyPage title="No workflow yet">Write one into your policy, under `workflows:`.</EmptyPage>
              </div>
            )}
          </>
        )}
      </QueryView>
    </div>
  )
}

function Defined({ defined }: Pick<WorkflowList, 'defined'>) {
  return (
    <Sheet title="In your policy" about="none of them has run here yet">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">workflow</th>
            <th scope="col">what it does</th>
            <th scope="col" className="c-number number">
              steps
            </th>
          </tr>
        </thead>
        <tbody>
          {defined.map(one => (
            <tr key={one.name}>
              <td className="wraps">{one.name}</td>
              <td className="wraps quiet" title={one.about}>
                {one.about ?? '–'}
              </td>
              <td className="number" title={plural(one.steps, 'step')}>
                {one.steps}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Sheet>
  )
}
