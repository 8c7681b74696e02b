import type { JsonObject, PromptSource } from '../../pattern/index.ts'
import { COMMAND } from '../prompts.ts'
import { text } from '../wire.ts'

/**
 * UserPromptSubmit comes again with an empty prompt after every batch of tools, and with the reason of a refused stop: that one
 * the session recognises. What a person sent stands in `submitted_prompt` too, as it was typed (0.24.4; older versions have none).
 */
export const sourceOf = (payload: JsonObject): PromptSource => {
  if (text(payload, 'agent_id') !== undefined) return 'agent'
  const typed = text(payload, 'submitted_prompt') ?? text(payload, 'prompt')
  if (typed === undefined) return 'system'
  return COMMAND.test(typed.trimStart()) ? 'command' : 'user'
}
