import type { Call, Event, Status } from '../../core/index.ts'
import type { EventKind, JsonObject } from '../../pattern/index.ts'
import { markedCaller, stopDetails } from '../agents.ts'
import { callFrom } from '../calls.ts'
import { timedIdentity } from '../identity.ts'
import { namedEvent } from '../named-event.ts'
import { inputOf, text, toolOf } from '../wire.ts'
import { ID, kindOf } from './events.ts'
import { sourceOf } from './prompt.ts'
import { errorOf, outputOf, statusOf } from './result.ts'
import { canonicalInput, canonicalTool } from './tools.ts'

export const decode = (payload: JsonObject, hint: { readonly event?: string | undefined }): readonly Event[] => {
  const event = told(payload, hint)
  return [{ ...event, ...timedIdentity(payload, event), ...detailsOf(payload, event.kind) }]
}

/**
 * Calls carry an `agent_id` and no type. The id is made of both the type and the call that spawned the agent, `router-call_0002`:
 * where it ends in another way, the type is not known from it. Model servers write the ids of calls in many ways; what SubagentStart says of the id
 * is remembered, and comes before this (`typedAtStart`).
 */
const typeOf = (payload: JsonObject): string | undefined =>
  text(payload, 'agent_type') ??
  /^(.+)-(?:(?:call_|toolu_|chatcmpl-tool-)\w+|[0-9a-f]{8})$/.exec(text(payload, 'agent_id') ?? '')?.[1]

const told = namedEvent({
  client: ID,
  kindOf,
  callerOf: (payload, kind) => markedCaller(payload, kind, typeOf(payload)),
})

const detailsOf = (payload: JsonObject, kind: EventKind): Partial<Event> => {
  switch (kind) {
    case 'tool.before':
    case 'tool.after':
    case 'tool.failed':
    case 'permission.request':
      return callDetails(payload, kind)
    case 'prompt.submit':
      return { prompt: { text: text(payload, 'prompt') ?? '', source: sourceOf(payload) } }
    case 'agent.start':
    case 'agent.stop':
    case 'turn.stop':
      return stopDetails(payload, kind)
    default:
      return {}
  }
}

const callDetails = (payload: JsonObject, kind: EventKind): Partial<Event> => {
  const native = toolOf(payload)
  if (native === undefined) return {}
  const tool = canonicalTool(native)
  const call = callOf(payload, tool, native)
  if (kind === 'tool.failed') return ended(kind, { ...call, status: 'failed' }, errorOf(tool, payload))
  if (kind !== 'tool.after') return { call }
  const status: Status = statusOf(tool, payload)
  return ended(status === 'failed' ? 'tool.failed' : kind, { ...call, status }, outputOf(tool, payload, status))
}

const ended = (kind: EventKind, call: Call, answer: string | undefined): Partial<Event> => ({
  kind,
  call,
  ...(answer !== undefined && { answer }),
})

const callOf = (payload: JsonObject, tool: string, native: string): Call => {
  const own = inputOf(payload)
  const id = text(payload, 'tool_use_id')
  const folder = tool === 'Bash' ? text(own, 'directory') : undefined
  return callFrom({ tool, native, input: canonicalInput(tool, own), id, folder })
}
