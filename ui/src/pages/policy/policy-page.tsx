import type { PolicyDetail } from '../../../../src/app/dashboard/api.ts'
import { useQuery } from '../../api/use-query.ts'
import { EmptyPage } from '../../parts/empty-page.tsx'
import { Problems } from '../../parts/problems.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { Sheet } from '../../parts/sheet.tsx'
import { useProject } from '../../parts/status.tsx'
import { fileOf } from '../../words/name.ts'
import { plural } from '../../words/number.ts'
import { HooksAndLists } from './hooks-and-lists.tsx'
import { Layers } from './layers.tsx'
import { Proof } from './proof.tsx'

/** The policy in force: its layers, their trust, and whether an agent can get stuck. */
export function PolicyPage() {
  const project = useProject()
  const answer = useQuery<PolicyDetail>('/api/policy', { project }, { everyMs: 15_000 })
  return (
    <div className="page">
      <div className="head">
        <h1>Policy</h1>
        {answer.data && (
          <p className="about">
            <span title={answer.data.project}>{fileOf(answer.data.project)}</span>: its layers, gates and problems
          </p>
        )}
      </div>
      <QueryView answer={answer} rows={10}>
        {policy => <Detail policy={policy} project={project} />}
      </QueryView>
    </div>
  )
}

function Detail({ policy, project }: { readonly policy: PolicyDetail; readonly project: string | undefined }) {
  const { problems, warnings, bypasses: lifted } = policy
  if (policy.problem !== undefined)
    return (
      <div className="sheet">
        <EmptyPage title="The policy cannot be loaded" next="signalbox check">
          {policy.problem}
        </EmptyPage>
      </div>
    )
  return (
    <>
      {lifted.map(line => (
        <p key={line} className="note-line">
          {line}
        </p>
      ))}
      {policy.layers.every(({ layer }) => layer === 'built-in') && (
        <div className="sheet">
          <EmptyPage title="No policy here yet: only Signalbox's own files are protected" next="signalbox init">
            A policy is a signalbox.yaml in the project. This command creates a first one and shows it before writing.
          </EmptyPage>
        </div>
      )}
      <Proof proof={policy.proof} project={project} />
      {problems.length > 0 && (
        <Sheet title={plural(problems.length, 'problem')} about="broken parts are not enforced">
          <Problems problems={problems} />
        </Sheet>
      )}
      {warnings.length > 0 && (
        <Sheet title={plural(warnings.length, 'warning')}>
          <Problems problems={warnings} />
        </Sheet>
      )}
      <Layers policy={policy} />
      <HooksAndLists policy={policy} />
    </>
  )
}
