import type { Event, Outcome } from '../../engine/index.ts'
import type { JsonObject } from '../../lib/json.ts'
import { denyByExitCode, isUnknownEvent, replyOf, showsMessage, unjudgedPassLine } from '../adapter/encode.ts'
import { EMPTY_REPLY, type FailedEvent, failureLine, type Reply } from '../client.ts'
import { capabilities } from './capabilities.ts'
import { eventKindOf } from './decode.ts'

/** Reply for our own plugin: only what was decided. An `agent.stop` is answered on the call it was derived from. */
export const encode = (outcome: Outcome, { name, kind }: Event): Reply => {
  const can = capabilities.events[kind === 'agent.stop' ? eventKindOf(name) : kind]
  if (can === undefined) return EMPTY_REPLY
  const denied = can.can.includes('deny') && (outcome.decision === 'deny' || outcome.decision === 'ask')
  const words: JsonObject = {
    ...(denied && { decision: 'deny', reason: outcome.reason || 'Decided by the Signalbox policy.' }),
    ...(can.context && outcome.context !== '' && { context: outcome.context }),
    ...(can.message && outcome.message !== '' && { message: outcome.message }),
    ...(!denied && can.rewrites && outcome.input && { input: outcome.input }),
    ...(!outcome.continue && { continue: false }),
  }
  return replyOf(words, denied)
}

/** The plugin throws on exit 2, and shows the message of a pass to the user. */
export const encodeFailure = (answer: 'open' | 'closed', event: FailedEvent, why: string): Reply => {
  const kind = event.name === undefined ? event.kind : eventKindOf(event.name)
  if (answer === 'closed' && (kind === 'tool.before' || isUnknownEvent(event))) return denyByExitCode(why)
  const shows = showsMessage(capabilities, kind, event)
  const stdout = shows ? JSON.stringify({ message: unjudgedPassLine(why) }) : ''
  return { ...EMPTY_REPLY, stdout, stderr: failureLine(why) }
}
