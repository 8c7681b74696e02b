import type { Backend } from './backend.ts'

/** What keeps a backend from a task, so that another one may do it. */
export type TroubleKind = 'missing' | 'signed-out' | 'quota' | 'hang' | 'crash'

export interface Trouble {
  readonly kind: TroubleKind
  readonly why: string
}

const SIGNED_OUT =
  /not logged in|\/login\b|log ?in (?:again|required)|sign(?:ed)? ?(?:in|out)\b|invalid (?:x-)?api[- ]?key|api key not valid|(?:missing|no) api key|unauthenticated|unauthorized|authentication|auth method|\b40[13]\b|token (?:has )?expired/i
const QUOTA =
  /\b429\b|rate.?limit|quota|resource.?exhausted|usage limit|limit reached|too many requests|credit balance|out of credits|billing/i

/** Out of the words of an error. */
export const kindOf = (why: string): TroubleKind =>
  QUOTA.test(why) ? 'quota' : SIGNED_OUT.test(why) ? 'signed-out' : 'crash'

/** One line: what is wrong, and what to do. */
export function troubleWords({ kind, why }: Trouble, { title, program, install, signIn }: Backend): string {
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
