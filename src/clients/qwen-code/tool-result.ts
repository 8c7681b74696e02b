import type { CallStatus } from '../../engine/index.ts'
import type { JsonObject } from '../../lib/json.ts'
import { modelTextOf, objectField, stringField } from '../adapter/decode/fields.ts'

/** A PostToolUse is for some failed commands too: `grep` that finds nothing is none to the client. */
export function callStatusOf(tool: string, payload: JsonObject): CallStatus {
  const response = objectField(payload, 'tool_response')
  if (tool === 'Bash') return shellStatusOf(modelTextOf(response))
  if (tool === 'Monitor') return 'unknown'
  return tool === 'Agent' ? agentStatusOf(objectField(response, 'returnDisplay')) : 'succeeded'
}

/** What the tool put out. A launch has put out nothing: its receipt is no answer. */
export function toolOutputOf(tool: string, payload: JsonObject, status: CallStatus): string | undefined {
  if (status === 'unknown') return undefined
  const said = modelTextOf(objectField(payload, 'tool_response'))
  return tool === 'Bash' ? (parseShellReport(said)?.output ?? said) : said || undefined
}

/** Of a failed command the client gives the same report as its `error`. */
export const toolErrorOf = (tool: string, payload: JsonObject): string | undefined => {
  const error = stringField(payload, 'error')
  return tool === 'Bash' ? (parseShellReport(error ?? '')?.output ?? error) : error
}

/** `completed`; else `background`, `failed`, `cancelled`, or still running. GOAL: it ended by itself, and was not cut off. */
const agentStatusOf = (display: JsonObject): CallStatus => {
  if (stringField(display, 'status') === 'failed') return 'failed'
  const done =
    stringField(display, 'status') === 'completed' && (stringField(display, 'terminateReason') ?? 'GOAL') === 'GOAL'
  return done ? 'succeeded' : 'unknown'
}

/**
 * The report of a command that ended: its output between lines of the client's own, perhaps cut out of the middle, perhaps with a
 * hint of the client behind it. The last such lines are the client's, so no output can hide an exit code. Runs that were cancelled
 * or sent to the background have another form, whatever their output looks like: how they ended is not known.
 */
const SHELL_REPORT =
  /^(?:Tool output was too large and has been truncated\.\n(?:(?!Truncated part)[^\n]*\n)*Truncated part of the output:\n)?(?:Command: |Directory: )(?<output>[\s\S]*)\nError: (?<error>[^\n]*)\nExit Code: (?<code>\S+)\nSignal: (?<signal>[^\n]+)\nProcess Group PGID: [^\n]+(?:\n\n[\s\S]*)?$/

function parseShellReport(said: string) {
  const found = SHELL_REPORT.exec(said)?.groups
  // the command itself may have lines, and words like these in them
  return found && { ...found, output: found.output?.replace(/^[\s\S]*?(?:\n|^)Directory: [^\n]*\nOutput: /, '') }
}

function shellStatusOf(said: string): CallStatus {
  const report = SHELL_REPORT.exec(said)?.groups
  if (!report) return 'unknown'
  if (report.code === '0' && report.signal === '(none)') return report.error === '(none)' ? 'succeeded' : 'unknown'
  // without a code and a signal nobody knows
  return report.code === '(none)' && report.signal === '(none)' ? 'unknown' : 'failed'
}
