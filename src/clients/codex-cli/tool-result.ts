import { isObject, type Json, type JsonObject, jsonText } from '../../lib/json.ts'
import { blockTexts } from '../adapter/decode/fields.ts'

/**
 * What a tool put out: of a shell call the bare output, of others mostly JSON as a string. How a call ended is never said: a PostToolUse
 * comes for success and failure alike (0.166.0).
 */
export function toolOutputOf(tool: string, { tool_response: response }: JsonObject): string | undefined {
  // the receipt of a spawn is no answer of the agent
  if (response === undefined || response === null || tool === 'Agent') return undefined
  return typeof response === 'string' ? response : blockTextOf(response) || jsonText(response)
}

const blockTextOf = (response: Json): string => {
  const blocks = isObject(response) ? response.content : response
  return Array.isArray(blocks) ? blockTexts(blocks).join('\n') : ''
}
