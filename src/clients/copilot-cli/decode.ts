import type { Call, Event, Status } from '../../core/index.ts'
import { digest, type EventKind, type JsonObject, jsonText, type PromptSource } from '../../pattern/index.ts'
import { DecodeError } from '../client.ts'
import { identityOf } from '../identity.ts'
import { flag } from '../wire.ts'
import { ID, kindOf, nameOf } from './events.ts'
import { callerOf, sessionOf } from './family.ts'
import { argsOf, timeOf, word } from './fields.ts'
import { outputOf, statusOf } from './result.ts'
import { canonicalInput, canonicalTool } from './tools.ts'

export const decode = (payload: JsonObject, hint: { readonly event?: string | undefined }): readonly Event[] => {
  const name = nameOf(payload, hint.event)
  if (!name) throw new DecodeError('no event name, and no field that tells: give `--event`')
  const told = kindOf(name)
  const caller = callerOf(payload, told)
  const cwd = word(payload, 'cwd')
  const base: Event = {
    // the end of an agent's turn: its `subagentStop` follows, with what it said
    kind: told === 'turn.stop' && caller.kind === 'agent' ? 'other' : told,
    client: ID,
    name,
    session: sessionOf(payload),
    caller,
    ...(cwd !== undefined && { cwd }),
  }
  const event = { ...base, ...detailsOf(payload, base) }
  return [{ ...event, ...identity(payload, event) }]
}

/** An event has its own time. Nothing of its style counts: a hook that is registered in both gets it twice. */
const identity = (
  payload: JsonObject,
  { kind, name, caller, call, prompt, answer }: Event,
): Pick<Event, 'identity'> => {
  const time = timeOf(payload)
  const about = jsonText([call?.tool ?? '', argsOf(payload), prompt?.text ?? '', answer ?? ''])
  if (time === undefined || about === '') return {}
  const ids = [kind === 'other' ? name.toLowerCase() : kind, String(time), caller.kind === 'agent' ? caller.id : '']
  return { identity: identityOf(ids, about) }
}

const detailsOf = (payload: JsonObject, { kind }: Event): Partial<Event> => {
  switch (kind) {
    case 'tool.before':
    case 'permission.request':
      return callDetails(payload)
    case 'tool.after':
    case 'tool.failed':
      return endDetails(payload, kind)
    case 'prompt.submit':
      return { prompt: { text: word(payload, 'prompt') ?? '', source: sourceOf(payload) } }
    case 'agent.start':
    case 'agent.stop':
    case 'turn.stop':
      return stopDetails(payload, kind)
    default:
      return {}
  }
}

/** There is no id of a call: its input stands in for one. */
const callDetails = (payload: JsonObject, status?: Status): { readonly call?: Call } => {
  const native = word(payload, 'toolName')
  if (native === undefined) return {}
  const own = argsOf(payload)
  const tool = canonicalTool(native, own)
  const content = jsonText(own)
  const call: Call = {
    tool,
    ...(tool !== native && { native }),
    input: canonicalInput(tool, own),
    ...(content !== '' && { id: `${tool}/${digest(content)}` }),
    acts: [],
    ...(status !== undefined && { status }),
  }
  return { call }
}

/** A shell call that ended badly is a `postToolUse` too. */
const endDetails = (payload: JsonObject, told: EventKind): Partial<Event> => {
  const own = argsOf(payload)
  const tool = canonicalTool(word(payload, 'toolName') ?? '', own)
  const status = told === 'tool.failed' ? 'failed' : statusOf(tool, own, payload)
  const answer = outputOf(own, payload)
  return {
    kind: status === 'failed' ? 'tool.failed' : 'tool.after',
    ...callDetails(payload, status),
    ...(answer !== undefined && { answer }),
  }
}

/** What the client itself puts in comes in tags; a turn of an agent begins with what its parent wrote. */
const sourceOf = (payload: JsonObject): PromptSource => {
  if (word(payload, 'agentId') !== undefined) return 'agent'
  return /^\s*<system_(?:notification|reminder)>/.test(word(payload, 'prompt') ?? '') ? 'system' : 'user'
}

const stopDetails = (payload: JsonObject, kind: EventKind): Partial<Event> => {
  const agent = kind === 'turn.stop' ? undefined : (word(payload, 'agentType') ?? word(payload, 'agentName'))
  const answer =
    kind === 'agent.stop' ? (word(payload, 'response') ?? word(payload, 'lastAssistantMessage')) : undefined
  const stopActive = flag(payload, 'stop_hook_active')
  return {
    ...(agent !== undefined && { agent }),
    ...(answer !== undefined && { answer }),
    ...(stopActive !== undefined && { stopActive }),
  }
}
