import type { Status } from '../../core/index.ts'
import { isObject, type JsonObject } from '../../pattern/index.ts'
import { field, word } from './fields.ts'
import { isBackground } from './tools.ts'

/** The last line of a shell call that ended, written by the client after whatever the command put out. */
const ENDED = /\n?<shellId: [^>\n]+ completed with exit code (-?\d+)>\s*$/

/** A shell call is a success to the client whatever its exit code; one that runs on has another last line, or none. */
export function statusOf(tool: string, input: JsonObject, payload: JsonObject): Status {
  const result = field(payload, 'toolResult')
  if (!isObject(result) || isBackground(input)) return 'unknown'
  const type = word(result, 'resultType')
  if (type !== undefined && type !== 'success') return 'failed'
  if (tool !== 'Bash' && tool !== 'PowerShell') return type === 'success' ? 'succeeded' : 'unknown'
  const code = ENDED.exec(wordsOf(result))?.[1]
  return code === undefined ? 'unknown' : code === '0' ? 'succeeded' : 'failed'
}

/** What the tool put out; the receipt of something in the background is nothing. */
export function outputOf(input: JsonObject, payload: JsonObject): string | undefined {
  const result = field(payload, 'toolResult')
  if (!isObject(result)) return word(payload, 'error')
  return isBackground(input) ? undefined : wordsOf(result).replace(ENDED, '')
}

const wordsOf = (result: JsonObject): string => word(result, 'textResultForLlm') ?? ''
