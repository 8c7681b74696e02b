import { isObject, type Json, type JsonObject, jsonText } from '../../lib/json.ts'
import { blockTexts } from '../adapter/decode.ts'

/**
 * A tool's output: plain text for shell calls, mostly JSON as a string for others. The exit status is never reported: PostToolUse
 * comes for success and failure alike (0.166.0).
 */
export function toolOutputOf(tool: string, { tool_response: response }: JsonObject): string | undefined {
  // the result of a spawn is only a receipt, not the agent's answer
  if (response === undefined || response === null || tool === 'Agent') return undefined
  return typeof response === 'string' ? response : blockTextOf(response) || jsonText(response)
}

const blockTextOf = (response: Json): string => {
  const blocks = isObject(response) ? response.content : response
  return Array.isArray(blocks) ? blockTexts(blocks).join('\n') : ''
}
