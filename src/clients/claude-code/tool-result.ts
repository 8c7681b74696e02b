import type { CallStatus } from '../../engine/index.ts'
import { isObject, type JsonObject, jsonText } from '../../lib/json.ts'
import { blockTexts, booleanField, positiveIntField, stringField } from '../adapter/decode/fields.ts'

/** Tools whose result is only a receipt: a Monitor's command runs on in the background. */
const BACKGROUND_TOOLS: ReadonlySet<string> = new Set(['Monitor'])

/**
 * PostToolUse means that the client saw no failure; that the work is done and went well is certain only without any
 * of these signs (D18).
 */
export const callStatusOf = (tool: string, input: JsonObject, payload: JsonObject): CallStatus => {
  if (isBackgroundLaunch(tool, input, payload)) return 'unknown'
  const response = payload.tool_response
  if (!isObject(response)) return 'succeeded'
  // `returnCodeInterpretation` words an exit code that is not 0 and not an error: "No matches found", "Files differ"
  const doubtful =
    booleanField(response, 'interrupted') === true ||
    stringField(response, 'returnCodeInterpretation') !== undefined ||
    positiveIntField(response, 'timedOutAfterMs') > 0
  return doubtful ? 'unknown' : 'succeeded'
}

/** What the tool put out. A launch has put out nothing: its receipt repeats the prompt, which is no answer. */
export const toolOutputOf = (tool: string, input: JsonObject, payload: JsonObject): string | undefined =>
  isBackgroundLaunch(tool, input, payload) ? undefined : responseTextOf(payload)

const isBackgroundLaunch = (tool: string, input: JsonObject, payload: JsonObject): boolean => {
  if (BACKGROUND_TOOLS.has(tool)) return true
  const response = payload.tool_response
  if (isObject(response)) {
    if (stringField(response, 'backgroundTaskId') !== undefined || booleanField(response, 'isAsync') === true)
      return true
    // an Agent result is `completed`, or one of the client's kinds of launch (`async_launched`, `sub_agent_entered`, …)
    const status = stringField(response, 'status')
    if (status === 'async_launched') return true
    if (tool === 'Agent' && status !== undefined) return status !== 'completed'
  }
  return booleanField(input, 'run_in_background') === true && !responseTextOf(payload)
}

const responseTextOf = (payload: JsonObject): string | undefined => {
  const response = payload.tool_response
  if (response === undefined || response === null) return undefined
  if (typeof response === 'string') return response
  if (Array.isArray(response)) return blockTexts(response).join('\n') || jsonText(response)
  if (!isObject(response)) return jsonText(response)
  if (typeof response.stdout === 'string') return response.stdout
  return Array.isArray(response.content) ? agentAnswerOf(response) : jsonText(response)
}

/** 2.1.325 (2.1.197 not) puts counted notes of its own around an agent's words: `<tools-used-before-summary>`. */
const agentAnswerOf = (response: JsonObject): string => {
  const blocks = Array.isArray(response.content) ? response.content : []
  const end = blocks.length - positiveIntField(response, 'harnessTailCount')
  return blockTexts(blocks.slice(positiveIntField(response, 'harnessNoteCount'), Math.max(end, 0))).join('\n')
}
