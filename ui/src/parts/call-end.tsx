import type { DecisionRow } from '../../../src/app/dashboard/api.ts'
import { CALL_ENDS } from '../words/call-end.ts'

/** How the call ended; empty while it runs or if its end is not recorded. */
export function CallEndBadge({ ended }: { readonly ended: DecisionRow['ended'] | undefined }) {
  if (ended === undefined) return null
  return (
    <span className="call-end" data-end={ended} title={CALL_ENDS[ended]}>
      {ended}
    </span>
  )
}
