import type { Action as EngineAction, ToolCall as EngineCall, Event, GateVariables } from '../../engine/index.ts'
import { toCommandLine } from '../../engine/index.ts'
import type { Action, GateEvent, GateSnapshot, ToolCall } from '../../types/index.ts'

/** The event as a code gate sees it: with the names of the public types, which do not follow internal renames. */
export function gateEventOf(event: Event): GateEvent {
  const { kind, client, name, session, cwd } = event
  const { kind: callerKind, ...more } = event.caller
  const base = { client, name, session, caller: { kind: callerKind, ...more }, ...(cwd !== undefined && { cwd }) }
  switch (kind) {
    case 'tool.before':
    case 'tool.after':
    case 'tool.failed':
    case 'permission.request':
      return { ...base, kind, call: callOf(event.call), ...(event.answer !== undefined && { output: event.answer }) }
    case 'prompt.submit':
      return { ...base, kind, prompt: event.prompt ?? { text: '', source: 'user' } }
    case 'agent.start':
    case 'agent.stop': {
      const { agent, answer } = event
      return { ...base, kind, ...(agent !== undefined && { agent }), ...(answer !== undefined && { answer }) }
    }
    default:
      return { ...base, kind }
  }
}

function callOf(call: EngineCall | undefined): ToolCall {
  if (!call) return { tool: '', input: {}, actions: [{ kind: 'other', isOpaque: true }] }
  const { tool, native, input, acts, id, status } = call
  return {
    tool,
    ...(native !== undefined && { nativeTool: native }),
    input,
    actions: acts.map(actionOf),
    ...(id !== undefined && { id }),
    ...(status !== undefined && { status }),
  }
}

function actionOf({ action, words, place, url, agent, opaque }: EngineAction): Action {
  const { lexical, real } = place ?? {}
  return {
    kind: action,
    ...(words && { command: toCommandLine(words), words: words.map(({ text }) => text) }),
    ...(lexical !== undefined && { path: lexical }),
    ...(real !== undefined && real !== lexical && { realPath: real }),
    ...(url !== undefined && { url }),
    ...(agent !== undefined && { agent }),
    isOpaque: opaque === true,
  }
}

export const gateSnapshotOf = ({
  state,
  operations,
  changed,
  opened,
  closed,
  captured,
}: GateVariables): GateSnapshot => ({
  state,
  operations,
  changed,
  ...(opened && { opened }),
  ...(closed && { closed }),
  ...(captured && { captured }),
})
