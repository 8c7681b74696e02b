import type { Status } from '../../core/index.ts'
import { isObject, type JsonObject, jsonText } from '../../pattern/index.ts'
import { blockTexts, count, flag, text } from '../wire.ts'

/** Tools whose result is only a receipt: a Monitor's command runs on in the background. */
const LAUNCHERS: ReadonlySet<string> = new Set(['Monitor'])

/**
 * PostToolUse means that the client saw no failure; that the work is done and went well is certain only without any
 * of these signs (D18).
 */
export const statusOf = (tool: string, input: JsonObject, payload: JsonObject): Status => {
  if (isLaunch(tool, input, payload)) return 'unknown'
  const response = payload.tool_response
  if (!isObject(response)) return 'succeeded'
  // `returnCodeInterpretation` words an exit code that is not 0 and not an error: "No matches found", "Files differ"
  const doubtful =
    flag(response, 'interrupted') === true ||
    text(response, 'returnCodeInterpretation') !== undefined ||
    count(response, 'timedOutAfterMs') > 0
  return doubtful ? 'unknown' : 'succeeded'
}

/** What the tool put out. A launch has put out nothing: its receipt repeats the prompt, which is no answer. */
export const outputOf = (tool: string, input: JsonObject, payload: JsonObject): string | undefined =>
  isLaunch(tool, input, payload) ? undefined : outputText(payload)

const isLaunch = (tool: string, input: JsonObject, payload: JsonObject): boolean => {
  if (LAUNCHERS.has(tool)) return true
  const response = payload.tool_response
  if (isObject(response)) {
    if (text(response, 'backgroundTaskId') !== undefined || flag(response, 'isAsync') === true) return true
    // an Agent result is `completed`, or one of the client's kinds of launch (`async_launched`, `sub_agent_entered`, …)
    const status = text(response, 'status')
    if (status === 'async_launched') return true
    if (tool === 'Agent' && status !== undefined) return status !== 'completed'
  }
  return flag(input, 'run_in_background') === true && !outputText(payload)
}

const outputText = (payload: JsonObject): string | undefined => {
  const response = payload.tool_response
  if (response === undefined || response === null) return undefined
  if (typeof response === 'string') return response
  if (Array.isArray(response)) return blockTexts(response).join('\n') || jsonText(response)
  if (!isObject(response)) return jsonText(response)
  if (typeof response.stdout === 'string') return response.stdout
  return Array.isArray(response.content) ? agentWords(response) : jsonText(response)
}

/** 2.1.325 (2.1.197 not) puts counted notes of its own around an agent's words: `<tools-used-before-summary>`. */
const agentWords = (response: JsonObject): string => {
  const blocks = Array.isArray(response.content) ? response.content : []
  const end = blocks.length - count(response, 'harnessTailCount')
  return blockTexts(blocks.slice(count(response, 'harnessNoteCount'), Math.max(end, 0))).join('\n')
}
