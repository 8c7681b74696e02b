import type { EventKind } from '../../engine/index.ts'
import { isObject, type JsonObject } from '../../lib/json.ts'
import { fieldOf, stringFieldOf } from './fields.ts'

export const CLIENT_ID = 'copilot-cli'

/** The client's event names (1.0.102): `preToolUse` and `PreToolUse` are the same event in two payload styles. */
export const eventNames: ReadonlyMap<string, EventKind> = new Map<string, EventKind>([
  ['sessionStart', 'session.start'],
  ['sessionEnd', 'session.end'],
  ['userPromptSubmitted', 'prompt.submit'],
  ['userPromptSubmit', 'prompt.submit'],
  ['preToolUse', 'tool.before'],
  ['postToolUse', 'tool.after'],
  ['postToolUseFailure', 'tool.failed'],
  ['permissionRequest', 'permission.request'],
  ['subagentStart', 'agent.start'],
  ['subagentStop', 'agent.stop'],
  ['agentStop', 'turn.stop'],
  ['stop', 'turn.stop'],
  ['preCompact', 'compact.before'],
  ['notification', 'notification'],
])

const KIND_BY_LOWER_NAME = new Map([...eventNames].map(([name, kind]) => [name.toLowerCase(), kind]))

export const eventKindOf = (name: string): EventKind => KIND_BY_LOWER_NAME.get(name.toLowerCase()) ?? 'other'

/** A camelCase payload does not name its event, except permission requests: if the hint is no event name, infer it from the fields. */
export const eventNameOf = (payload: JsonObject, hint: string | undefined): string | undefined => {
  const heeded = hint !== undefined && eventKindOf(hint) !== 'other' ? hint : undefined
  return (
    stringFieldOf(payload, 'hookEventName') ??
    stringFieldOf(payload, 'hookName') ??
    heeded ??
    inferEventName(payload) ??
    hint
  )
}

const inferEventName = (payload: JsonObject): string | undefined => {
  const has = (key: string): boolean => fieldOf(payload, key) !== undefined
  if (has('toolName')) return has('toolResult') ? 'postToolUse' : has('error') ? 'postToolUseFailure' : 'preToolUse'
  if (has('agentName')) return has('stopReason') ? 'subagentStop' : 'subagentStart'
  if (has('stopReason')) return 'agentStop'
  if (has('trigger')) return 'preCompact'
  if (has('transformedPrompt')) return 'userPromptTransformed'
  if (has('prompt')) return 'userPromptSubmitted'
  if (has('notificationType')) return 'notification'
  if (isObject(fieldOf(payload, 'error'))) return 'errorOccurred'
  return has('source') ? 'sessionStart' : has('reason') ? 'sessionEnd' : undefined
}
