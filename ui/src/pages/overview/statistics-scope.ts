import type { Overview } from '../../../../src/app/dashboard/api.ts'

/** The period and project of the numbers, as filters for the feed. */
export interface StatisticsScope {
  readonly since: string
  readonly project: string | undefined
}

/** Counting starts at a full hour, so the period may start earlier than requested. */
export const statisticsScope = ({ period }: Overview, project: string | undefined): StatisticsScope => ({
  since: new Date(period.from).toISOString(),
  project,
})
