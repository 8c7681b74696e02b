import type { Backend, BackendFault, BackendTroubleKind } from './backend.ts'

export interface BackendTrouble {
  readonly kind: BackendTroubleKind
  readonly why: string
}

/** Uses the HTTP status of the model's server. Error texts are less reliable: the task itself may be about rate limits. */
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

/** One line: what is wrong and what to do. */
export function troubleText({ kind, why }: BackendTrouble, { title, program, install, signIn }: Backend): string {
  switch (kind) {
    case 'missing':
      return `${title} is not installed: \`${program}\` is not on the PATH; ${install}`
    case 'signed-out':
      return `${title} is not signed in (${why}); ${signIn}`
    case 'quota':
      return `${title} has no quota left (${why})`
    case 'hang':
      return `${title} took too long: ${why}; \`--timeout\` gives it more time`
    case 'crash':
      return `${title} failed: ${why}`
  }
}
