import type { Status } from '../../core/index.ts'
import { isObject, type Json, type JsonObject } from '../../pattern/index.ts'
import { text } from '../wire.ts'

/** What a call put out, whichever event tells of it. */
export const outputOf = (payload: JsonObject): string | undefined =>
  text(payload, 'tool_output') ?? text(payload, 'output') ?? text(payload, 'result_json')

/** A shell call ended well or badly only if its output says so: that a failed one is a failure to the client is not documented. */
export function statusOf(tool: string, payload: JsonObject): Status {
  if (tool !== 'Bash') return 'succeeded'
  const said = objectIn(text(payload, 'tool_output') ?? '')
  const code = said.exitCode ?? said.exit_code
  return typeof code === 'number' ? (code === 0 ? 'succeeded' : 'failed') : 'unknown'
}

/** JSON in a string, as some fields are. */
const objectIn = (words: string): JsonObject => {
  try {
    const value: Json = JSON.parse(words)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
