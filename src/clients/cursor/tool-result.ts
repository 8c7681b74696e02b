import type { CallStatus } from '../../engine/index.ts'
import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { stringField } from '../adapter/decode/fields.ts'

/** What a call put out, whichever event tells of it. */
export const toolOutputOf = (payload: JsonObject): string | undefined =>
  stringField(payload, 'tool_output') ?? stringField(payload, 'output') ?? stringField(payload, 'result_json')

/** A shell call ended well or badly only if its output says so: that a failed one is a failure to the client is not documented. */
export function callStatusOf(tool: string, payload: JsonObject): CallStatus {
  if (tool !== 'Bash') return 'succeeded'
  const said = parseJsonObject(stringField(payload, 'tool_output') ?? '')
  const code = said.exitCode ?? said.exit_code
  return typeof code === 'number' ? (code === 0 ? 'succeeded' : 'failed') : 'unknown'
}

/** JSON in a string, as some fields are. */
const parseJsonObject = (words: string): JsonObject => {
  try {
    const value: Json = JSON.parse(words)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
