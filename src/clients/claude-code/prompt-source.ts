import type { PromptSource } from '../../engine/index.ts'
import type { JsonObject } from '../../lib/json.ts'
import { SLASH_COMMAND, stringField } from '../adapter/decode.ts'

/**
 * Values of `source` in the types of 2.1.325. No recorded prompt has the field, so the text is checked too. `sdk` shows only how
 * the prompt came in, so the text decides there as well.
 */
const SOURCE_BY_VALUE: ReadonlyMap<string, PromptSource> = new Map([
  ['user', 'user'],
  ['system', 'system'],
  ['loop_wakeup', 'system'],
  ['schedule_wakeup', 'system'],
  ['poll_event', 'system'],
])

/** Tags that the client puts around its own text: results of background work, reminders, output of `!` and local commands. */
const CLIENT_TAG =
  /^<(?:task-notification|system-reminder|local-command-[a-z]+|bash-(?:input|stdout|stderr)|teammate-message|tick)\b/

/** Where a prompt comes from. Only `user` starts a turn. */
export const promptSourceOf = (payload: JsonObject, prompt: string): PromptSource => {
  if (stringField(payload, 'agent_id') !== undefined) return 'agent'
  const source = SOURCE_BY_VALUE.get(stringField(payload, 'source') ?? '')
  if (source === 'system') return 'system'
  const words = prompt.trimStart()
  if (SLASH_COMMAND.test(words)) return 'command'
  return source === undefined && CLIENT_TAG.test(words) ? 'system' : 'user'
}
