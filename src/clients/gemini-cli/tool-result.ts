import type { CallStatus } from '../../engine/index.ts'
import { isObject, type JsonObject, jsonText } from '../../lib/json.ts'
import { booleanField, modelTextOf, objectField, stringField } from '../adapter/decode.ts'

/** AfterTool comes for failed calls too; a shell call's exit status is in its text. */
export function callStatusOf(tool: string, input: JsonObject, payload: JsonObject): CallStatus {
  const { tool_response } = payload
  if (!isObject(tool_response)) return 'unknown'
  if (responseErrorOf(tool_response) !== undefined) return 'failed'
  if (tool === 'Bash')
    return booleanField(input, 'is_background') === true ? 'unknown' : shellStatusOf(modelTextOf(tool_response))
  return tool === 'Agent' && !isCompleted(tool_response) ? 'unknown' : 'succeeded'
}

/** The tool's output, or the error of a failed call. */
export function toolOutputOf(tool: string, payload: JsonObject): string | undefined {
  const response = objectField(payload, 'tool_response')
  const error = responseErrorOf(response)
  if (error !== undefined) return error
  if (tool === 'Agent') return agentAnswerOf(response)
  const text = modelTextOf(response)
  return tool === 'Bash' ? (parseShellReport(text)?.output ?? text) : text || undefined
}

/** A subagent's answer, if it completed: undefined if it was cut off or only launched. */
export const agentAnswerOf = (response: JsonObject): string | undefined => {
  if (!isCompleted(response) || responseErrorOf(response) !== undefined) return undefined
  return (
    stringField(objectField(response, 'returnDisplay'), 'result') ??
    modelTextOf(response).replace(/^[\s\S]*?\nResult:\n/, '')
  )
}

/** `terminateReason` is GOAL, or why the agent was cut off: MAX_TURNS, TIMEOUT, ABORTED, ERROR, … */
function isCompleted(response: JsonObject): boolean {
  const display = objectField(response, 'returnDisplay')
  const reason =
    stringField(display, 'terminateReason') ?? /\nTermination Reason: (\w+)\n/.exec(modelTextOf(response))?.[1]
  return (stringField(display, 'state') ?? 'completed') === 'completed' && (reason ?? 'GOAL') === 'GOAL'
}

function responseErrorOf(response: JsonObject): string | undefined {
  const { error } = response
  if (error === undefined || error === null || error === false) return undefined
  return isObject(error) ? (stringField(error, 'message') ?? jsonText(error)) : String(error)
}

/**
 * The report of a finished command: its output, then the client's own lines. Those come last, so that output cannot fake an
 * exit code. Cancelled, timed-out, summarised and background runs have another format: their status is unknown.
 */
const SHELL_REPORT =
  /^(?:<untrusted_context>\n)?Output: (?<output>[\s\S]*?)(?:\nExit Code: (?<code>\S+))?(?<signal>\nSignal: [^\n]+)?(?:\nBackground PIDs: [^\n]*)?\nProcess Group PGID: \d+(?:\n<\/untrusted_context>)?\s*$/

const parseShellReport = (text: string) => SHELL_REPORT.exec(text)?.groups

function shellStatusOf(text: string): CallStatus {
  const report = parseShellReport(text)
  if (!report) return 'unknown'
  if (report.signal !== undefined || (report.code ?? '0') !== '0') return 'failed'
  // a spawn error has no exit code and looks like the last line of output
  return /(?:^|\n)Error: [^\n]*$/.test(report.output ?? '') ? 'unknown' : 'succeeded'
}
