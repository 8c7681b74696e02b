import type { PromptSource } from '../../engine/index.ts'
import type { JsonObject } from '../../lib/json.ts'
import { SLASH_COMMAND, stringField } from '../adapter/decode.ts'

/**
 * UserPromptSubmit comes again with an empty prompt after every batch of tools, and with the reason of a denied stop, which the
 * session recognises. A user's prompt is in `submitted_prompt` too, as it was typed (0.24.4; missing in older versions).
 */
export const promptSourceOf = (payload: JsonObject): PromptSource => {
  if (stringField(payload, 'agent_id') !== undefined) return 'agent'
  const typed = stringField(payload, 'submitted_prompt') ?? stringField(payload, 'prompt')
  if (typed === undefined) return 'system'
  return SLASH_COMMAND.test(typed.trimStart()) ? 'command' : 'user'
}
