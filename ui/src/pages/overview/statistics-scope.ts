import type { Overview } from '../../../../src/app/dashboard/api.ts'

/** Of which period and project the numbers are, as the feed is asked for what they count. */
export interface StatisticsScope {
  readonly since: string
  readonly project: string | undefined
}

/** What is counted begins with a whole hour, whatever was asked for. */
export const statisticsScope = ({ period }: Overview, project: string | undefined): StatisticsScope => ({
  since: new Date(period.from).toISOString(),
  project,
})
