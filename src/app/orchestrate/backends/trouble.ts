import type { Backend } from './backend.ts'

/** What keeps a backend from a task, so that another one may do it. */
export type BackendTroubleKind = 'missing' | 'signed-out' | 'quota' | 'hang' | 'crash'

/** What a backend can say of itself in fields or lines of its own. */
export type BackendFault = Extract<BackendTroubleKind, 'signed-out' | 'quota'>

export interface BackendTrouble {
  readonly kind: BackendTroubleKind
  readonly why: string
}

/** By the status that the server of its model answered. Words of an error say less: the task may be about rate limits. */
export function faultOfStatus(status: unknown): BackendFault | undefined {
  switch (Number(status)) {
    case 401:
    case 403:
      return 'signed-out'
    case 402:
    case 429:
      return 'quota'
    default:
      return undefined
  }
}

/** One line: what is wrong, and what to do. */
export function troubleText({ kind, why }: BackendTrouble, { title, program, install, signIn }: Backend): string {
  switch (kind) {
    case 'missing':
      return `${title} is not here: \`${program}\` is not on the PATH; ${install}`
    case 'signed-out':
      return `${title} is not signed in (${why}); ${signIn}`
    case 'quota':
      return `${title} has no quota left (${why})`
    case 'hang':
      return `${title} took too long: ${why}; \`--timeout\` gives it more`
    case 'crash':
      return `${title} failed: ${why}`
  }
}
