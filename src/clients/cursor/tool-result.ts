import type { CallStatus } from '../../engine/index.ts'
import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { stringField } from '../adapter/decode.ts'

/** A call's output; the field depends on the event. */
export const toolOutputOf = (payload: JsonObject): string | undefined =>
  stringField(payload, 'tool_output') ?? stringField(payload, 'output') ?? stringField(payload, 'result_json')

/** A shell call's status is known only from its output: it is not documented that Cursor reports failed commands as failures. */
export function callStatusOf(tool: string, payload: JsonObject): CallStatus {
  if (tool !== 'Bash') return 'succeeded'
  const output = parseJsonObject(stringField(payload, 'tool_output') ?? '')
  const code = output.exitCode ?? output.exit_code
  return typeof code === 'number' ? (code === 0 ? 'succeeded' : 'failed') : 'unknown'
}

/** Parses fields that hold JSON as a string. */
const parseJsonObject = (words: string): JsonObject => {
  try {
    const value: Json = JSON.parse(words)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
