import type { Event } from '../../engine/index.ts'
import type { PreparedEvent } from '../events/prepare-event.ts'
import { findAttestations } from './attestation.ts'
import { randomHex } from './attestation-key.ts'
import { type AttestationContext, attestedEnds, attestedRunsOf, haveRunsEnded, withRunEnds } from './attested-ends.ts'
import { type PendingRun, readPendingRuns, takePendingRuns } from './pending-runs.ts'

/** Commands of earlier calls: `ended` if their end is known now, else `running`. */
export interface LateRuns {
  readonly ended: readonly { readonly id: string; readonly ready: PreparedEvent }[]
  readonly running: readonly string[]
}

/** Analyses an event and gathers its facts. */
type Look = (event: Event) => readonly PreparedEvent[]

const NONE: LateRuns = { ended: [], running: [] }

/** Finds the ends of earlier calls' commands by their attestations: in output that the agent has just read, or in the state folder. */
export function findLateRuns(event: Event | undefined, look: Look, hearing: AttestationContext): LateRuns {
  const { identity } = hearing
  const pending = readPendingRuns(hearing).filter(({ usedBy }) => usedBy === undefined || usedBy === identity)
  if (pending.length === 0) return NONE
  const isEnd = event?.kind === 'tool.after' || event?.kind === 'tool.failed'
  const heard = isEnd ? findAttestations(hearing.text) : []
  const found = pending.map(run => ({ id: run.id, ready: endOf(run, heard, look, hearing) }))
  const known = found.flatMap(({ id, ready }) => (ready ? [{ id, ready }] : []))
  const taken = known.length === 0 ? [] : takePendingRuns(known, identity ?? randomHex(16), hearing)
  const ended = known.filter(({ id }) => taken.includes(id))
  return { ended, running: found.flatMap(({ id, ready }) => (ready ? [] : [id])) }
}

function endOf(
  { id, from, to, event }: PendingRun,
  heard: Parameters<typeof attestedEnds>[2],
  look: Look,
  hearing: AttestationContext,
): PreparedEvent | undefined {
  const runs = attestedRunsOf(event, hearing)
  const by = JSON.stringify([hearing.key.client, hearing.key.session, 'late', id, from])
  const ends = attestedEnds(runs, { from, to, by }, heard, hearing)
  if (ends.size === 0 || !haveRunsEnded(runs, ends)) return undefined
  const [ready] = look(event)
  return ready && { ...ready, event: withRunEnds(ready.event, runs, name => ends.get(name)) }
}
