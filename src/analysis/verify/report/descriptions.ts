import type { SampleCall } from '../abstraction/residual-condition.ts'
import type { AgentAction } from '../system/agent-action.ts'
import type { SystemStep } from '../system/step.ts'

/** Describes a call for the reader of the policy. */
export function describeCall({ shorthand, isApproved }: SampleCall): string {
  const phrase = ACTION_PHRASES.find(([key]) => typeof shorthand[key] === 'string')
  const object = [shorthand.path, shorthand.url, shorthand.command, shorthand.agent].find(
    one => typeof one === 'string',
  )
  const words = phrase
    ? `${phrase[1]}${String(shorthand[phrase[0]])}`
    : ['calls', shorthand.tool, object].filter(Boolean).join(' ')
  return isApproved ? `${words} (approved)` : words
}

export const describeAction = ({ actor, call, events }: AgentAction): string => {
  if (call) return `${actor === 'main' ? '' : `${actor}: `}${describeCall(call)}`
  return events[0]?.kind === 'turn.stop' ? 'ends its turn' : `${actor} stops`
}

const ACTION_PHRASES: readonly (readonly [string, string])[] = [
  ['shell', ''],
  ['write', 'writes '],
  ['edit', 'edits '],
  ['read', 'reads '],
  ['delete', 'deletes '],
  ['fetch', 'fetches '],
  ['spawn', 'spawns '],
]

const ENDING_PHRASES: Readonly<Record<string, string>> = {
  failed: ', which fails',
  unknown: ', its result is unknown',
  declined: ', the user declines',
  running: ', still running',
}

export function describeStep(step: SystemStep): string {
  const {
    actor,
    call,
    event,
    answer,
    seconds,
    openedGate,
    isUnreported,
    endsPendingCall,
    startsSession,
    ending = '',
  } = step
  const prefix = actor === 'main' || actor === 'person' || actor === 'client' || actor === 'time' ? '' : `${actor}: `
  if (seconds !== undefined) return `${seconds} s pass`
  if (openedGate !== undefined) return `a person opens ${openedGate}`
  if (startsSession) return 'another session begins'
  if (call && endsPendingCall) return `${prefix}${describeCall(call)} ends${ENDING_PHRASES[ending] ?? ''}`
  if (call) return `${prefix}${describeCall(call)}${ENDING_PHRASES[ending] ?? ''}`
  if (isUnreported) return `${actor} ends unreported`
  if (event?.kind === 'agent.stop')
    return `${actor} stops${answer === undefined ? '' : ` with ${JSON.stringify(answer)}`}`
  if (event?.kind === 'turn.stop') return 'ends its turn'
  if (event?.prompt) return `prompt of ${event.prompt.source}: ${event.prompt.text}`
  return event?.kind ?? ''
}
