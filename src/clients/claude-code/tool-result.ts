import type { CallStatus } from '../../engine/index.ts'
import { isObject, type JsonObject, jsonText } from '../../lib/json.ts'
import { blockTexts, booleanField, positiveIntField, stringField } from '../adapter/decode.ts'

/** Tools that return before their work is done: a Monitor's command continues in the background. */
const BACKGROUND_TOOLS: ReadonlySet<string> = new Set(['Monitor'])

/** PostToolUse means that the client saw no failure. The call has certainly succeeded only if none of these signs is present. */
export const callStatusOf = (tool: string, input: JsonObject, payload: JsonObject): CallStatus => {
  if (isBackgroundLaunch(tool, input, payload)) return 'unknown'
  const response = payload.tool_response
  if (!isObject(response)) return 'succeeded'
  // `returnCodeInterpretation` explains an exit code that is not 0 but no error: "No matches found", "Files differ"
  const doubtful =
    booleanField(response, 'interrupted') === true ||
    stringField(response, 'returnCodeInterpretation') !== undefined ||
    positiveIntField(response, 'timedOutAfterMs') > 0
  return doubtful ? 'unknown' : 'succeeded'
}

/** The tool's output. A background launch has none: its receipt repeats the prompt, which is not an answer. */
export const toolOutputOf = (tool: string, input: JsonObject, payload: JsonObject): string | undefined =>
  isBackgroundLaunch(tool, input, payload) ? undefined : responseTextOf(payload)

const isBackgroundLaunch = (tool: string, input: JsonObject, payload: JsonObject): boolean => {
  if (BACKGROUND_TOOLS.has(tool)) return true
  const response = payload.tool_response
  if (isObject(response)) {
    if (stringField(response, 'backgroundTaskId') !== undefined || booleanField(response, 'isAsync') === true)
      return true
    // an Agent result is `completed`, or a kind of launch (`async_launched`, `sub_agent_entered`, …)
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

/** 2.1.325 (not 2.1.197) puts notes of its own before and after an agent's answer, and counts them: `<tools-used-before-summary>`. */
const agentAnswerOf = (response: JsonObject): string => {
  const blocks = Array.isArray(response.content) ? response.content : []
  const end = blocks.length - positiveIntField(response, 'harnessTailCount')
  return blockTexts(blocks.slice(positiveIntField(response, 'harnessNoteCount'), Math.max(end, 0))).join('\n')
}
