import { createContext, type ReactNode, useContext } from 'react'
import type { Situation } from '../../../src/dashboard/api.ts'
import { type Answer, useQuery } from '../api/use-query.ts'
import { useRoute } from '../route/route.ts'

const Here = createContext<Answer<Situation> | null>(null)

/** Asked once for all pages. */
export function SituationAsked({ children }: { readonly children: ReactNode }) {
  const project = useProject()
  return <Here value={useQuery<Situation>('/api/situation', { project }, { everyMs: 10_000 })}>{children}</Here>
}

export function useSituation(): Answer<Situation> {
  const answer = useContext(Here)
  if (!answer) throw new Error('the situation is asked for by the shell')
  return answer
}

/** The one the reader chose; else the server does. */
export const useProject = (): string | undefined => useRoute().query.get('project') ?? undefined
