import type { SampleCall } from '../abstraction/residual-condition.ts'
import type { AgentAction } from '../system/agent-action.ts'
import type { SystemStep } from '../system/step.ts'

/** Describes a call for the reader of the policy. */
export function describeCall({ short, approved }: SampleCall): string {
  const said = ACTION_PHRASES.find(([key]) => typeof short[key] === 'string')
  const object = [short.path, short.url, short.command, short.agent].find(one => typeof one === 'string')
  const words = said ? `${said[1]}${String(short[said[0]])}` : ['calls', short.tool, object].filter(Boolean).join(' ')
  return approved ? `${words} (approved)` : words
}

export const describeAction = ({ by, call, events }: AgentAction): string => {
  if (call) return `${by === 'main' ? '' : `${by}: `}${describeCall(call)}`
  return events[0]?.kind === 'turn.stop' ? 'ends its turn' : `${by} stops`
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
  asked: ', the user declines',
  begun: ', still running',
}

export function describeStep(step: SystemStep): string {
  const { by, call, event, answer, seconds, opens, untold, late, another, end = '' } = step
  const who = by === 'main' || by === 'person' || by === 'client' || by === 'time' ? '' : `${by}: `
  if (seconds !== undefined) return `${seconds} s pass`
  if (opens !== undefined) return `a person opens ${opens}`
  if (another) return 'another session begins'
  if (call && late) return `${who}${describeCall(call)} ends${ENDING_PHRASES[end] ?? ''}`
  if (call) return `${who}${describeCall(call)}${ENDING_PHRASES[end] ?? ''}`
  if (untold) return `${by} ends unreported`
  if (event?.kind === 'agent.stop') return `${by} stops${answer === undefined ? '' : ` with ${JSON.stringify(answer)}`}`
  if (event?.kind === 'turn.stop') return 'ends its turn'
  if (event?.prompt) return `prompt of ${event.prompt.source}: ${event.prompt.text}`
  return event?.kind ?? ''
}
