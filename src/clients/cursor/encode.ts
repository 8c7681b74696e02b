import type { Event, Outcome } from '../../core/index.ts'
import type { JsonObject } from '../../pattern/index.ts'
import { type Reply, SILENCE } from '../client.ts'
import { decisionIn } from '../deciding.ts'
import { capabilities } from './capabilities.ts'
import { ownName } from './events.ts'

/** No opinion is an empty object: nothing at all is a failed run, which refuses where the person wants it to (`failClosed`). */
export const NEUTRAL: Reply = { ...SILENCE, stdout: '{}' }

export const encode = (outcome: Outcome, { kind, name }: Event): Reply => {
  const can = capabilities.events[kind]
  if (can === undefined) return NEUTRAL
  const decision = decisionIn(can, outcome)
  const reason = outcome.reason || 'Decided by the Signalbox policy.'
  const words: JsonObject = {
    ...WORDS[kind]?.(decision, reason, ownName(name)),
    ...(can.context && outcome.context !== '' && { additional_context: outcome.context }),
    ...(can.message && outcome.message !== '' && { user_message: messageOf(decision, reason, outcome) }),
    ...(rewrites(name, decision) && outcome.input && { updated_input: outcome.input }),
  }
  return { ...SILENCE, stdout: JSON.stringify(words) }
}

type Decided = (decision: Outcome['decision'], reason: string, name: string) => JsonObject

const messageOf = (decision: Outcome['decision'], reason: string, { message }: Outcome): string =>
  decision === 'deny' ? `${reason}\n${message}` : message

/** A value an event does not know blocks, "for safety": so each gets only its own. */
const permission: Decided = (decision, reason, name) => {
  if (decision === 'pass') return {}
  // files can only be refused or not
  const said = decision === 'ask' && name === 'beforeReadFile' ? 'deny' : decision
  const words = { permission: said, user_message: reason }
  return name === 'beforeReadFile' || name === 'subagentStart' ? words : { ...words, agent_message: reason }
}
const prompt: Decided = (decision, reason) => (decision === 'deny' ? { continue: false, user_message: reason } : {})
const stop: Decided = (decision, reason) => (decision === 'deny' ? { followup_message: reason } : {})

const WORDS: Readonly<Partial<Record<Event['kind'], Decided>>> = {
  'tool.before': permission,
  'agent.start': permission,
  'prompt.submit': prompt,
  'agent.stop': stop,
  'turn.stop': stop,
}

const rewrites = (name: string, decision: Outcome['decision']): boolean =>
  ownName(name) === 'preToolUse' && capabilities.events['tool.before']?.rewrites?.includes(decision) === true
