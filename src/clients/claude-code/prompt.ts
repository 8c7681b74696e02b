import type { JsonObject, PromptSource } from '../../pattern/index.ts'
import { COMMAND } from '../prompts.ts'
import { text } from '../wire.ts'

/**
 * Values of `source` in 2.1.325's types. No recorded prompt carries the field, so the text has to tell too; `sdk` says
 * only how the words came in, so there it tells as well.
 */
const SOURCES: ReadonlyMap<string, PromptSource> = new Map([
  ['user', 'user'],
  ['system', 'system'],
  ['loop_wakeup', 'system'],
  ['schedule_wakeup', 'system'],
  ['poll_event', 'system'],
])

/** What the client wraps around words of its own: results of background work, reminders, output of `!` and local commands. */
const WRAPPED =
  /^<(?:task-notification|system-reminder|local-command-[a-z]+|bash-(?:input|stdout|stderr)|teammate-message|tick)\b/

/** Who made a prompt. Only `user` starts a turn. */
export const sourceOf = (payload: JsonObject, prompt: string): PromptSource => {
  if (text(payload, 'agent_id') !== undefined) return 'agent'
  const said = SOURCES.get(text(payload, 'source') ?? '')
  if (said === 'system') return 'system'
  const words = prompt.trimStart()
  if (COMMAND.test(words)) return 'command'
  return said === undefined && WRAPPED.test(words) ? 'system' : 'user'
}
