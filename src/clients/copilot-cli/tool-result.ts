import type { CallStatus } from '../../engine/index.ts'
import { isObject, type JsonObject } from '../../lib/json.ts'
import { fieldOf, stringFieldOf } from './fields.ts'
import { isBackground } from './tools.ts'

/** The line that the client appends to the output of a finished shell call. */
const EXIT_LINE = /\n?<shellId: [^>\n]+ completed with exit code (-?\d+)>\s*$/

/** Copilot reports a shell call as a success for any exit code. A call that is still running has another last line, or none. */
export function callStatusOf(tool: string, input: JsonObject, payload: JsonObject): CallStatus {
  const result = fieldOf(payload, 'toolResult')
  if (!isObject(result) || isBackground(input)) return 'unknown'
  const type = stringFieldOf(result, 'resultType')
  if (type !== undefined && type !== 'success') return 'failed'
  if (tool !== 'Bash' && tool !== 'PowerShell') return type === 'success' ? 'succeeded' : 'unknown'
  const code = EXIT_LINE.exec(resultTextOf(result))?.[1]
  return code === undefined ? 'unknown' : code === '0' ? 'succeeded' : 'failed'
}

/** The tool's output; undefined for the receipt of a background call. */
export function toolOutputOf(input: JsonObject, payload: JsonObject): string | undefined {
  const result = fieldOf(payload, 'toolResult')
  if (!isObject(result)) return stringFieldOf(payload, 'error')
  return isBackground(input) ? undefined : resultTextOf(result).replace(EXIT_LINE, '')
}

const resultTextOf = (result: JsonObject): string => stringFieldOf(result, 'textResultForLlm') ?? ''
