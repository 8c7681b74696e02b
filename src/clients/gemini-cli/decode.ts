import type { Call, Event } from '../../core/index.ts'
import { digest, type EventKind, type JsonObject, jsonText } from '../../pattern/index.ts'
import { timedIdentity } from '../identity.ts'
import { namedEvent } from '../named-event.ts'
import { flag, inputOf, object, text, toolOf } from '../wire.ts'
import { ID, kindOf } from './events.ts'
import { agentAnswer, outputOf, statusOf } from './result.ts'
import { canonicalInput, canonicalTool } from './tools.ts'

/** All but calls come from the main agent. */
const told = namedEvent({ client: ID, kindOf, callerOf: () => ({ kind: 'main' }) })

export const decode = (payload: JsonObject, hint: { readonly event?: string | undefined }): readonly Event[] => {
  const base = { ...told(payload, hint), ...timeOf(payload) }
  const { kind } = base
  const events =
    kind === 'tool.before' || kind === 'tool.after' ? callEvents(payload, base) : [toldEvent(payload, base)]
  return events.map(event => Object.assign(event, timedIdentity(payload, event)))
}

/** Any call but the last word of an agent may be the main agent's, made beside the spawn of the one in flight: without a time too. */
const timeOf = (payload: JsonObject): Pick<Event, 'at'> =>
  toolOf(payload) === 'complete_task' ? {} : { at: Date.parse(text(payload, 'timestamp') ?? '') || 0 }

const toldEvent = (payload: JsonObject, base: Event): Event => {
  if (base.kind === 'prompt.submit')
    return { ...base, prompt: { text: text(payload, 'prompt') ?? '', source: sourceOf(payload) } }
  const stopActive = base.kind === 'turn.stop' ? flag(payload, 'stop_hook_active') : undefined
  return stopActive === undefined ? base : { ...base, stopActive }
}

/** Slash commands arrive expanded, so nothing tells them; what the client itself puts in comes in tags. */
const sourceOf = (payload: JsonObject): 'user' | 'system' =>
  /^\s*<(?:session_context|hook_context|background_output)>/.test(text(payload, 'prompt') ?? '') ? 'system' : 'user'

/**
 * Nothing marks a subagent's calls, so the session has to tell. Only of `invoke_agent` it is sure: subagents do not get
 * that tool (0.61.0). `complete_task` is an agent's last word before it stops, and can still be refused; the end of its
 * `invoke_agent` says the same again, and counts where no last word was heard.
 */
const callEvents = (payload: JsonObject, base: Event): readonly Event[] => {
  const native = toolOf(payload)
  if (native === undefined) return [{ ...base, caller: { kind: 'unknown' } }]
  const tool = canonicalTool(native, payload)
  const own = inputOf(payload)
  const caller = { kind: tool === 'Agent' ? ('main' as const) : ('unknown' as const) }
  const call = callOf(tool, native, own)
  const stop: Event = { ...base, kind: 'agent.stop', caller: { kind: 'unknown' } }
  if (base.kind === 'tool.before') {
    const before: Event = Object.assign({}, base, { caller, call })
    return native === 'complete_task' ? [before, { ...stop, answer: resultOf(own) }] : [before]
  }
  const status = statusOf(tool, own, payload)
  const kind: EventKind = status === 'failed' ? 'tool.failed' : 'tool.after'
  const answer = status === 'unknown' ? undefined : outputOf(tool, payload)
  const ended = { kind, caller, call: Object.assign({}, call, { status }), ...(answer !== undefined && { answer }) }
  const after: Event = Object.assign({}, base, ended)
  const agent = tool === 'Agent' ? text(own, 'agent_name') : undefined
  const last = status === 'succeeded' ? agentAnswer(object(payload, 'tool_response')) : undefined
  return agent === undefined || last === undefined ? [after] : [{ ...stop, agent, answer: last }, after]
}

/** `directory` is what older versions call the folder. Without a tool-use id the input stands in for it: an inferred caller may be another at the end of the call. */
const callOf = (tool: string, native: string, own: JsonObject): Call => {
  const content = jsonText(own)
  const folder = tool === 'Bash' ? (text(own, 'dir_path') ?? text(own, 'directory')) : undefined
  return {
    tool,
    native,
    input: canonicalInput(tool, own),
    ...(content !== '' && { id: `${native}/${digest(content)}` }),
    ...(folder !== undefined && { folder }),
    acts: [],
  }
}

/** An agent's `result` is a string, or an object of the shape its definition asks for. */
const resultOf = (input: JsonObject): string => text(input, 'result') ?? jsonText(input.result ?? input)
