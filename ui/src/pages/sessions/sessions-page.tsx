import { useCallback, useEffect, useState } from 'react'
import type { SessionRow, SessionPage as Sessions } from '../../../../src/app/dashboard/api.ts'
import { getJson, withQuery } from '../../api/request.ts'
import { useQuery } from '../../api/use-query.ts'
import { EmptyPage } from '../../parts/empty-page.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { useChosenProject, useStatus } from '../../parts/status.tsx'
import { SessionTable } from './session-table.tsx'

const LIMIT = 60

/** Sessions, latest first. */
export function SessionsPage() {
  const project = useChosenProject()
  const answer = useQuery<Sessions>('/api/sessions', { limit: LIMIT, project }, { everyMs: 10_000 })
  return (
    <div className="page">
      <div className="head">
        <h1>Sessions</h1>
        <p className="about">conversations of agents, with their decisions</p>
      </div>
      <QueryView answer={answer} rows={12}>
        {page => (page.rows.length === 0 ? <NoSessions /> : <Pages first={page} project={project} />)}
      </QueryView>
    </div>
  )
}

function NoSessions() {
  const { data } = useStatus()
  return (
    <div className="sheet">
      {data?.empty ? (
        <EmptyState empty={data.empty} />
      ) : (
        <EmptyPage title="No session yet">A session appears with the first call of an agent.</EmptyPage>
      )}
    </div>
  )
}

interface PagesProps {
  readonly first: Sessions
  readonly project: string | undefined
}

function Pages({ first, project }: PagesProps) {
  const [rest, setRest] = useState<{ rows: readonly SessionRow[]; before: number | null }>()
  const before = rest === undefined ? first.before : rest.before
  const more = useCallback(() => {
    if (before === null) return
    getJson<Sessions>(withQuery('/api/sessions', { before, limit: LIMIT, project })).then(
      page => setRest(known => ({ rows: [...(known?.rows ?? []), ...page.rows], before: page.before })),
      () => {},
    )
  }, [before, project])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another project has other sessions
  useEffect(() => setRest(undefined), [project])
  const known = new Set(first.rows.map(row => `${row.client} ${row.session}`))
  const rows = [...first.rows, ...(rest?.rows ?? []).filter(one => !known.has(`${one.client} ${one.session}`))]
  return (
    <>
      <SessionTable rows={rows} />
      {first.indexingProgress.blocks < first.indexingProgress.of && (
        <p className="quiet">Older sessions are still being indexed and appear as they are found.</p>
      )}
      {before !== null && (
        <div>
          <button type="button" className="button" onClick={more}>
            Older sessions
          </button>
        </div>
      )}
    </>
  )
}
