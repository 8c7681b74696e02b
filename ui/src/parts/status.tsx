import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import type { DashboardStatus } from '../../../src/app/dashboard/api.ts'
import { type QueryResult, useQuery } from '../api/use-query.ts'
import { changeQuery, useRoute } from '../route/route.ts'

interface Known {
  readonly answer: QueryResult<DashboardStatus>
  readonly project: string | undefined
}

const Here = createContext<Known | null>(null)

/** What cannot be read may be a matter of a moment; who waits for the first call sees it at once. */
const whenAgain = ({ trail, empty }: DashboardStatus): number => {
  if (trail.problem !== undefined) return 2000
  return empty ? 1000 : 10_000
}

/** Of one project each; the others are of all, unless one is chosen. */
const OF_ONE = new Set(['overview', 'gates', 'playground', 'policy'])

/** Asked once for all pages. The project that is shown first stays, whatever agents do elsewhere; where there are several, it is in the address. */
export function StatusProvider({ children }: { readonly children: ReactNode }) {
  const route = useRoute()
  const chosen = useChosenProject()
  const [shown, setShown] = useState<string>()
  const project = chosen ?? shown
  const answer = useQuery<DashboardStatus>('/api/situation', { project }, { everyMs: whenAgain })
  const told = answer.isStale ? undefined : answer.data
  const isOneOfMany = told !== undefined && told.projects.length > 1 && OF_ONE.has(route.page)
  useEffect(() => {
    if (told) setShown(told.project)
    if (told && isOneOfMany && chosen === undefined) changeQuery(route, { project: told.project })
  }, [told, isOneOfMany, chosen, route])
  return <Here value={{ answer, project }}>{children}</Here>
}

function useKnown(): Known {
  const known = useContext(Here)
  if (!known) throw new Error('the situation is asked for by the shell')
  return known
}

export const useStatus = (): QueryResult<DashboardStatus> => useKnown().answer

/** The one whose pages are shown; undefined until the server said which. */
export const useProject = (): string | undefined => useKnown().project

/** A command as it is typed in a terminal here: the word `signalbox` may not be heard yet. */
export function useTypedCommand(): (line: string) => string {
  const program = useContext(Here)?.answer.data?.program ?? 'signalbox'
  return line => line.replace(/^signalbox (?=[a-z])/, () => `${program} `)
}

/** The one the reader chose, where pages can be of all. */
export const useChosenProject = (): string | undefined => useRoute().query.get('project') ?? undefined

export const isProjectPage = (page: string): boolean => OF_ONE.has(page)
