import type { Event } from '../../engine/index.ts'
import { attestedRunsOf, findAttestations, withRunEnds } from '../../hook/index.ts'

/**
 * Applies the exit status that `signalbox run` attested. Replay does not verify the signature, and only the signature says which
 * command was attested, so the attestation counts only if the line has a single such command.
 */
export function withAttestedStatus(event: Event, context: Parameters<typeof attestedRunsOf>[1]): Event {
  const words = event.answer === undefined ? [] : findAttestations(event.answer)
  const last = words.at(-1)
  const runs = last ? attestedRunsOf(event, context) : []
  if (!last || runs.length !== 1) return event
  return withRunEnds(event, runs, () => (last.status === 0 ? 'succeeded' : 'failed'))
}
