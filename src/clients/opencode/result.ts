import type { Status } from '../../core/index.ts'
import type { JsonObject } from '../../pattern/index.ts'
import { object, text } from '../wire.ts'

/** `tool.execute.after` is for calls that ran: a shell call says its exit code, none where it was cut off. */
export function statusOf(tool: string, output: JsonObject): Status {
  if (tool === 'Agent') return agentAnswer(output) === undefined ? 'unknown' : 'succeeded'
  if (tool !== 'Bash') return 'succeeded'
  const { exit } = object(output, 'metadata')
  return typeof exit === 'number' ? (exit === 0 ? 'succeeded' : 'failed') : 'unknown'
}

/** What a subagent answered, if it ran to its end (D7). */
export const agentAnswer = (output: JsonObject): string | undefined =>
  /^<task id="[^"]*" state="completed">\n<task_result>\n([\s\S]*)\n<\/task_result>\n<\/task>\s*$/.exec(
    text(output, 'output') ?? '',
  )?.[1]

export const outputOf = (tool: string, output: JsonObject): string | undefined =>
  tool === 'Agent' ? agentAnswer(output) : text(output, 'output')
