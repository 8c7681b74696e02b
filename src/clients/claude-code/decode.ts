import type { Call, Event } from '../../core/index.ts'
import { type EventKind, type JsonObject, jsonText } from '../../pattern/index.ts'
import { markedCaller, stopDetails } from '../agents.ts'
import { identityOf } from '../identity.ts'
import { namedEvent } from '../named-event.ts'
import { inputOf, text, toolOf } from '../wire.ts'
import { ID, kindOf } from './events.ts'
import { sourceOf } from './prompt.ts'
import { outputOf, statusOf } from './result.ts'
import { canonicalTool } from './tools.ts'

type Details = Pick<Event, 'call' | 'prompt' | 'agent' | 'answer' | 'stopActive' | 'identity'>

const told = namedEvent({ client: ID, kindOf, callerOf: markedCaller })

export const decode = (payload: JsonObject, hint: { readonly event?: string | undefined }): readonly Event[] => {
  const event = told(payload, hint)
  return [Object.assign(event, detailsOf(payload, event.kind, event.name))]
}

const detailsOf = (payload: JsonObject, kind: EventKind, name: string): Details => {
  switch (kind) {
    case 'tool.before':
    case 'tool.after':
    case 'tool.failed':
    case 'permission.request':
      return callDetails(payload, kind, name)
    case 'prompt.submit':
      return promptDetails(payload, name)
    case 'agent.start':
    case 'agent.stop':
    case 'turn.stop':
      return stopDetails(payload, kind)
    default:
      return {}
  }
}

const callDetails = (payload: JsonObject, kind: EventKind, name: string): Details => {
  const native = toolOf(payload)
  if (native === undefined) return {}
  const tool = canonicalTool(native)
  const input = inputOf(payload)
  const id = text(payload, 'tool_use_id')
  const after = kind === 'tool.after' && { status: statusOf(tool, input, payload) }
  const failed = kind === 'tool.failed' && { status: 'failed' as const }
  const call: Call = {
    tool,
    ...(tool !== native && { native }),
    input,
    ...(id !== undefined && { id }),
    acts: [],
    ...after,
    ...failed,
  }
  const answer = after ? outputOf(tool, input, payload) : failed ? text(payload, 'error') : undefined
  const identity = callIdentity(payload, name, native)
  return { call, ...(answer !== undefined && { answer }), ...(identity !== undefined && { identity }) }
}

/** PermissionRequest has no id (2.1.325), so two equal ones are two; nor can an input too deep to print tell a repeat. */
const callIdentity = (payload: JsonObject, name: string, native: string): string | undefined => {
  const id = text(payload, 'tool_use_id')
  const input = jsonText(inputOf(payload))
  if (id === undefined || input === '') return undefined
  // a relative path means another file in another folder
  return identityOf([name, text(payload, 'prompt_id') ?? '', id, text(payload, 'cwd') ?? ''], native + input)
}

/** Each submitted prompt has a `prompt_id` of its own (since 2.1.196), which the rest of its turn then carries. */
const promptDetails = (payload: JsonObject, name: string): Details => {
  const words = text(payload, 'prompt') ?? ''
  const id = text(payload, 'prompt_id')
  return {
    prompt: { text: words, source: sourceOf(payload, words) },
    ...(id !== undefined && { identity: identityOf([name, id], words) }),
  }
}
