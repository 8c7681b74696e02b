import type { PromptSource } from '../../engine/index.ts'
import type { JsonObject } from '../../lib/json.ts'
import { stringField } from '../adapter/decode/fields.ts'
import { SLASH_COMMAND } from '../adapter/decode/slash-command.ts'

/**
 * Values of `source` in 2.1.325's types. No recorded prompt carries the field, so the text has to tell too; `sdk` says
 * only how the words came in, so there it tells as well.
 */
const SOURCE_BY_VALUE: ReadonlyMap<string, PromptSource> = new Map([
  ['user', 'user'],
  ['system', 'system'],
  ['loop_wakeup', 'system'],
  ['schedule_wakeup', 'system'],
  ['poll_event', 'system'],
])

/** What the client wraps around words of its own: results of background work, reminders, output of `!` and local commands. */
const CLIENT_TAG =
  /^<(?:task-notification|system-reminder|local-command-[a-z]+|bash-(?:input|stdout|stderr)|teammate-message|tick)\b/

/** Who made a prompt. Only `user` starts a turn. */
export const promptSourceOf = (payload: JsonObject, prompt: string): PromptSource => {
  if (stringField(payload, 'agent_id') !== undefined) return 'agent'
  const said = SOURCE_BY_VALUE.get(stringField(payload, 'source') ?? '')
  if (said === 'system') return 'system'
  const words = prompt.trimStart()
  if (SLASH_COMMAND.test(words)) return 'command'
  return said === undefined && CLIENT_TAG.test(words) ? 'system' : 'user'
}
