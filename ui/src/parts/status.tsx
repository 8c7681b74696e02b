import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import type { DashboardStatus } from '../../../src/app/dashboard/api.ts'
import { useLogChanges } from '../api/log-mark.ts'
import { type QueryResult, useQuery } from '../api/use-query.ts'
import { changeQuery, useRoute } from '../route/route.ts'

interface Known {
  readonly answer: QueryResult<DashboardStatus>
  readonly project: string | undefined
}

const Here = createContext<Known | null>(null)

/** Read errors may be short, and the first call should show at once, so both are polled more often. */
const whenAgain = ({ auditLog: trail, empty }: DashboardStatus): number => {
  if (trail.problem !== undefined) return 2000
  return empty ? 1000 : 10_000
}

/** Pages that show one project; other pages show all projects unless one is chosen. */
const OF_ONE = new Set(['overview', 'gates', 'playground', 'policy'])

/** Loads the status once for all pages. The first shown project stays, whatever agents do elsewhere; with several, it is in the address. */
export function StatusProvider({ children }: { readonly children: ReactNode }) {
  const route = useRoute()
  const chosen = useChosenProject()
  const [shown, setShown] = useState<string>()
  const project = chosen ?? shown
  const answer = useQuery<DashboardStatus>('/api/situation', { project }, { everyMs: whenAgain })
  const { again } = answer
  const changes = useLogChanges()
  // an older status must not stand beside what another database says
  useEffect(() => {
    if (changes > 0) again()
  }, [changes, again])
  const status = answer.isStale ? undefined : answer.data
  const isOneOfMany = status !== undefined && status.projects.length > 1 && OF_ONE.has(route.page)
  useEffect(() => {
    if (status) setShown(status.project)
    if (status && isOneOfMany && chosen === undefined) changeQuery(route, { project: status.project })
  }, [status, isOneOfMany, chosen, route])
  return <Here value={{ answer, project }}>{children}</Here>
}

function useKnown(): Known {
  const known = useContext(Here)
  if (!known) throw new Error('useStatus needs the status provider of the shell')
  return known
}

export const useStatus = (): QueryResult<DashboardStatus> => useKnown().answer

/** The shown project; undefined until the server has answered. */
export const useProject = (): string | undefined => useKnown().project

/** A command as it works in a terminal here: `signalbox` may not be on the PATH yet. */
export function useTypedCommand(): (line: string) => string {
  const program = useContext(Here)?.answer.data?.program ?? 'signalbox'
  return line => line.replace(/^signalbox (?=[a-z])/, () => `${program} `)
}

/** The project chosen in the address, for pages that can show all. */
export const useChosenProject = (): string | undefined => useRoute().query.get('project') ?? undefined

export const isProjectPage = (page: string): boolean => OF_ONE.has(page)
