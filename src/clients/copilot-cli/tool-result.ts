import type { CallStatus } from '../../engine/index.ts'
import { isObject, type JsonObject } from '../../lib/json.ts'
import { fieldOf, stringFieldOf } from './fields.ts'
import { isBackground } from './tools.ts'

/** The last line of a shell call that ended, written by the client after whatever the command put out. */
const EXIT_LINE = /\n?<shellId: [^>\n]+ completed with exit code (-?\d+)>\s*$/

/** A shell call is a success to the client whatever its exit code; one that runs on has another last line, or none. */
export function callStatusOf(tool: string, input: JsonObject, payload: JsonObject): CallStatus {
  const result = fieldOf(payload, 'toolResult')
  if (!isObject(result) || isBackground(input)) return 'unknown'
  const type = stringFieldOf(result, 'resultType')
  if (type !== undefined && type !== 'success') return 'failed'
  if (tool !== 'Bash' && tool !== 'PowerShell') return type === 'success' ? 'succeeded' : 'unknown'
  const code = EXIT_LINE.exec(resultTextOf(result))?.[1]
  return code === undefined ? 'unknown' : code === '0' ? 'succeeded' : 'failed'
}

/** What the tool put out; the receipt of something in the background is nothing. */
export function toolOutputOf(input: JsonObject, payload: JsonObject): string | undefined {
  const result = fieldOf(payload, 'toolResult')
  if (!isObject(result)) return stringFieldOf(payload, 'error')
  return isBackground(input) ? undefined : resultTextOf(result).replace(EXIT_LINE, '')
}

const resultTextOf = (result: JsonObject): string => stringFieldOf(result, 'textResultForLlm') ?? ''
