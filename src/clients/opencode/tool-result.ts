import type { CallStatus } from '../../engine/index.ts'
import type { JsonObject } from '../../lib/json.ts'
import { objectField, stringField } from '../adapter/decode.ts'

/** `tool.execute.after` comes for calls that ran: a shell call has its exit code, unless it was cut off. */
export function callStatusOf(tool: string, output: JsonObject): CallStatus {
  if (tool === 'Agent') return agentAnswerOf(output) === undefined ? 'unknown' : 'succeeded'
  if (tool !== 'Bash') return 'succeeded'
  const { exit } = objectField(output, 'metadata')
  return typeof exit === 'number' ? (exit === 0 ? 'succeeded' : 'failed') : 'unknown'
}

/** A subagent's answer, if it completed. */
export const agentAnswerOf = (output: JsonObject): string | undefined =>
  /^<task id="[^"]*" state="completed">\n<task_result>\n([\s\S]*)\n<\/task_result>\n<\/task>\s*$/.exec(
    stringField(output, 'output') ?? '',
  )?.[1]

export const toolOutputOf = (tool: string, output: JsonObject): string | undefined =>
  tool === 'Agent' ? agentAnswerOf(output) : stringField(output, 'output')
