import type { Overview } from '../../../../src/dashboard/api.ts'

/** Of which period and project the numbers are, as the feed is asked for what they count. */
export interface Counted {
  readonly since: string
  readonly project: string | undefined
}

/** What is counted begins with a whole hour, whatever was asked for. */
export const countedIn = ({ period }: Overview, project: string | undefined): Counted => ({
  since: new Date(period.from).toISOString(),
  project,
})
