import type { Call, Event } from '../../core/index.ts'
import { type EventKind, type JsonObject, jsonText, type PromptSource } from '../../pattern/index.ts'
import { markedCaller, stopDetails } from '../agents.ts'
import { identityOf } from '../identity.ts'
import { namedEvent } from '../named-event.ts'
import { inputOf, text, toolOf } from '../wire.ts'
import { ID, kindOf } from './events.ts'
import { outputOf } from './result.ts'
import { canonicalInput, canonicalTool } from './tools.ts'

/** A subagent reports the session of the main agent, and itself by `agent_id`. */
const told = namedEvent({ client: ID, kindOf, callerOf: markedCaller })

export const decode = (payload: JsonObject, hint: { readonly event?: string | undefined }): readonly Event[] => {
  const event = told(payload, hint)
  return [Object.assign(event, detailsOf(payload, event))]
}

const detailsOf = (payload: JsonObject, { kind, name }: Event): Partial<Event> => {
  if (kind === 'tool.before' || kind === 'tool.after' || kind === 'permission.request')
    return callDetails(payload, kind, name)
  if (kind === 'agent.start' || kind === 'agent.stop' || kind === 'turn.stop') return stopDetails(payload, kind)
  return kind === 'prompt.submit' ? promptDetails(payload, name) : {}
}

const callDetails = (payload: JsonObject, kind: EventKind, name: string): Partial<Event> => {
  const native = toolOf(payload)
  if (native === undefined) return {}
  const tool = canonicalTool(native)
  const own = inputOf(payload)
  const id = text(payload, 'tool_use_id')
  const call: Call = {
    tool,
    ...(tool !== native && { native }),
    input: canonicalInput(tool, own),
    ...(id !== undefined && { id }),
    acts: [],
    ...(kind === 'tool.after' && { status: 'unknown' }),
  }
  const answer = kind === 'tool.after' ? outputOf(tool, payload) : undefined
  const content = jsonText(own)
  // PermissionRequest has no id, so two equal ones are two; nor can an input too deep to print tell a repeat
  const ids = [name, text(payload, 'turn_id') ?? '', id ?? '', text(payload, 'cwd') ?? '']
  return {
    call,
    ...(answer !== undefined && { answer }),
    ...(id !== undefined && content !== '' && { identity: identityOf(ids, native + content) }),
  }
}

const promptDetails = (payload: JsonObject, name: string): Partial<Event> => {
  const words = text(payload, 'prompt') ?? ''
  const turn = text(payload, 'turn_id')
  return {
    prompt: { text: words, source: sourceOf(payload, words) },
    ...(turn !== undefined && { identity: identityOf([name, turn], words) }),
  }
}

/** What the client itself puts in comes in tags. */
const sourceOf = (payload: JsonObject, prompt: string): PromptSource => {
  if (text(payload, 'agent_id') !== undefined) return 'agent'
  return /^\s*<(?:subagent_notification|environment_context|turn_aborted|hook_prompt)\b/.test(prompt)
    ? 'system'
    : 'user'
}
