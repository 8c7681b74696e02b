import type { Event } from '../../engine/index.ts'
import { attestedRunsOf, findAttestations, withRunEnds } from '../../hook/index.ts'

/**
 * The end of a call with the word of `signalbox run` on it. The seal is not asked for in a look back; of which command the word is only the
 * seal tells, so it counts where there is one command.
 */
export function withAttestedStatus(event: Event, ground: Parameters<typeof attestedRunsOf>[1]): Event {
  const words = event.answer === undefined ? [] : findAttestations(event.answer)
  const last = words.at(-1)
  const runs = last ? attestedRunsOf(event, ground) : []
  if (!last || runs.length !== 1) return event
  return withRunEnds(event, runs, () => (last.status === 0 ? 'succeeded' : 'failed'))
}
