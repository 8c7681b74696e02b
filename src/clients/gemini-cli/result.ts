import type { Status } from '../../core/index.ts'
import { isObject, type JsonObject, jsonText } from '../../pattern/index.ts'
import { flag, object, text, wordsForModel } from '../wire.ts'

/** An AfterTool is for failed calls too; a shell call says in its words how it ended. */
export function statusOf(tool: string, input: JsonObject, payload: JsonObject): Status {
  const { tool_response } = payload
  if (!isObject(tool_response)) return 'unknown'
  if (errorOf(tool_response) !== undefined) return 'failed'
  if (tool === 'Bash')
    return flag(input, 'is_background') === true ? 'unknown' : shellStatus(wordsForModel(tool_response))
  return tool === 'Agent' && !isCompleted(tool_response) ? 'unknown' : 'succeeded'
}

/** What the tool put out; of a failure, what went wrong. */
export function outputOf(tool: string, payload: JsonObject): string | undefined {
  const response = object(payload, 'tool_response')
  const error = errorOf(response)
  if (error !== undefined) return error
  if (tool === 'Agent') return agentAnswer(response)
  const said = wordsForModel(response)
  return tool === 'Bash' ? (shellReport(said)?.output ?? said) : said || undefined
}

/** What a subagent answered, if it ran to its end (D7): not one that was cut off, or only got started. */
export const agentAnswer = (response: JsonObject): string | undefined => {
  if (!isCompleted(response) || errorOf(response) !== undefined) return undefined
  return (
    text(object(response, 'returnDisplay'), 'result') ?? wordsForModel(response).replace(/^[\s\S]*?\nResult:\n/, '')
  )
}

/** `terminateReason` is GOAL, or why it had to end before: MAX_TURNS, TIMEOUT, ABORTED, ERROR, … */
function isCompleted(response: JsonObject): boolean {
  const display = object(response, 'returnDisplay')
  const reason = text(display, 'terminateReason') ?? /\nTermination Reason: (\w+)\n/.exec(wordsForModel(response))?.[1]
  return (text(display, 'state') ?? 'completed') === 'completed' && (reason ?? 'GOAL') === 'GOAL'
}

function errorOf(response: JsonObject): string | undefined {
  const { error } = response
  if (error === undefined || error === null || error === false) return undefined
  return isObject(error) ? (text(error, 'message') ?? jsonText(error)) : String(error)
}

/**
 * The report of a command that ended: its output, then lines of the client's own. Those come last, so no output can hide
 * an exit code. Cancelled, timed out, summarised and background runs have another form: how they ended is not known.
 */
const REPORT =
  /^(?:<untrusted_context>\n)?Output: (?<output>[\s\S]*?)(?:\nExit Code: (?<code>\S+))?(?<signal>\nSignal: [^\n]+)?(?:\nBackground PIDs: [^\n]*)?\nProcess Group PGID: \d+(?:\n<\/untrusted_context>)?\s*$/

const shellReport = (said: string) => REPORT.exec(said)?.groups

function shellStatus(said: string): Status {
  const report = shellReport(said)
  if (!report) return 'unknown'
  if (report.signal !== undefined || (report.code ?? '0') !== '0') return 'failed'
  // a spawn error comes without a code, and looks like a last line of output
  return /(?:^|\n)Error: [^\n]*$/.test(report.output ?? '') ? 'unknown' : 'succeeded'
}
