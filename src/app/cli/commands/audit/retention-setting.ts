import type { Policy } from '../../../../policy/index.ts'
import { DEFAULT_RETENTION } from '../../../../store/index.ts'

const MB = 1024 * 1024

/** How long the audit log is kept, by default or by a policy's setting. */
export function retentionText({ settings: { keeps } }: Policy): string {
  const { days, bytes } = { ...DEFAULT_RETENTION, ...keeps }
  const whose = keeps === undefined ? ' (change it with keepDays and keepMb in your user policy)' : ''
  return `the audit log for ${days} days, at most ${Math.round(bytes / MB).toLocaleString('en')} MB${whose}`
}
