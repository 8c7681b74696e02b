import type { DecisionRow } from '../../../src/app/dashboard/api.ts'
import { CALL_ENDS } from '../words/call-end.ts'

/** How the call ended; nothing while it runs, or where its end is not on record. */
export function CallEndBadge({ ended }: { readonly ended: DecisionRow['ended'] | undefined }) {
  if (ended === undefined) return null
  return (
    <span className="call-end" data-end={ended} title={CALL_ENDS[ended]}>
      {ended}
    </span>
  )
}
