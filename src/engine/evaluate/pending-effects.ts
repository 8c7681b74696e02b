import { fnv64 } from '../../lib/fnv64.ts'
import { jsonText } from '../../lib/json.ts'
import { callerKey } from '../model/caller.ts'
import type { Event } from '../model/event.ts'
import type { PendingEffects, Session } from '../model/session.ts'

const MOST_WAITING = 64
/** How many of the waiting entries may be refused calls. An agent makes no more calls than this at once. */
const MOST_REFUSED = 16

/** Ties the end of a call to its beginning: the tool-use id, otherwise caller, tool and input. */
export const callKey = ({ call, caller }: Event): string | undefined =>
  call && (call.id ?? `${callerKey(caller)}|${call.tool}|${fnv64(jsonText(call.input))}`)

/** `found`: the effects that wait for the end of this call; `left`: the rest. */
export function takePendingEffects(
  { waiting }: Session,
  event: Event,
): { found?: PendingEffects; left: readonly PendingEffects[] } {
  const key = event.kind === 'tool.after' || event.kind === 'tool.failed' ? callKey(event) : undefined
  const found = key === undefined ? undefined : waiting.find(one => one.call === key)
  return found ? { found, left: waiting.filter(one => one !== found) } : { left: waiting }
}

/** A warning is decided before the call and delivered after it. Transitions that an `ask` holds back wait for the same moment. */
export function putPendingEffects(
  left: readonly PendingEffects[],
  event: Event,
  what: Omit<PendingEffects, 'call'>,
): readonly PendingEffects[] {
  const call = event.kind === 'tool.before' ? callKey(event) : undefined
  if (call === undefined || (!what.refused && what.warnings.length === 0 && what.moves.length === 0)) return left
  const refused = what.refused ? left.filter(one => one.refused) : []
  const kept = refused.length < MOST_REFUSED ? left : left.filter(one => one !== refused[0])
  return [...kept, { call, ...what }].slice(-MOST_WAITING)
}
