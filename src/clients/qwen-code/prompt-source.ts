import type { PromptSource } from '../../engine/index.ts'
import type { JsonObject } from '../../lib/json.ts'
import { stringField } from '../adapter/decode/fields.ts'
import { SLASH_COMMAND } from '../adapter/decode/slash-command.ts'

/**
 * UserPromptSubmit comes again with an empty prompt after every batch of tools, and with the reason of a refused stop: that one
 * the session recognises. What a person sent stands in `submitted_prompt` too, as it was typed (0.24.4; older versions have none).
 */
export const promptSourceOf = (payload: JsonObject): PromptSource => {
  if (stringField(payload, 'agent_id') !== undefined) return 'agent'
  const typed = stringField(payload, 'submitted_prompt') ?? stringField(payload, 'prompt')
  if (typed === undefined) return 'system'
  return SLASH_COMMAND.test(typed.trimStart()) ? 'command' : 'user'
}
