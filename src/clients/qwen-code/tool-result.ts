import type { CallStatus } from '../../engine/index.ts'
import type { JsonObject } from '../../lib/json.ts'
import { modelTextOf, objectField, stringField } from '../adapter/decode.ts'

/** PostToolUse comes for some failed commands too: for the client, `grep` without a match is not a failure. */
export function callStatusOf(tool: string, payload: JsonObject): CallStatus {
  const response = objectField(payload, 'tool_response')
  if (tool === 'Bash') return shellStatusOf(modelTextOf(response))
  if (tool === 'Monitor') return 'unknown'
  return tool === 'Agent' ? agentStatusOf(objectField(response, 'returnDisplay')) : 'succeeded'
}

/** The tool's output. A launch has none: its receipt is not an answer. */
export function toolOutputOf(tool: string, payload: JsonObject, status: CallStatus): string | undefined {
  if (status === 'unknown') return undefined
  const text = modelTextOf(objectField(payload, 'tool_response'))
  return tool === 'Bash' ? (parseShellReport(text)?.output ?? text) : text || undefined
}

/** For a failed command the client puts the same report into `error`. */
export const toolErrorOf = (tool: string, payload: JsonObject): string | undefined => {
  const error = stringField(payload, 'error')
  return tool === 'Bash' ? (parseShellReport(error ?? '')?.output ?? error) : error
}

/** `completed`, `background`, `failed`, `cancelled` or still running. GOAL: the agent ended by itself and was not cut off. */
const agentStatusOf = (display: JsonObject): CallStatus => {
  if (stringField(display, 'status') === 'failed') return 'failed'
  const done =
    stringField(display, 'status') === 'completed' && (stringField(display, 'terminateReason') ?? 'GOAL') === 'GOAL'
  return done ? 'succeeded' : 'unknown'
}

/**
 * The report of a finished command: its output between the client's own lines, possibly truncated in the middle and followed by a
 * hint of the client. The last such lines are the client's, so that output cannot fake an exit code. Cancelled and background runs
 * have another format: their status is unknown.
 */
const SHELL_REPORT =
  /^(?:Tool output was too large and has been truncated\.\n(?:(?!Truncated part)[^\n]*\n)*Truncated part of the output:\n)?(?:Command: |Directory: )(?<output>[\s\S]*)\nError: (?<error>[^\n]*)\nExit Code: (?<code>\S+)\nSignal: (?<signal>[^\n]+)\nProcess Group PGID: [^\n]+(?:\n\n[\s\S]*)?$/

function parseShellReport(text: string) {
  const found = SHELL_REPORT.exec(text)?.groups
  // the command itself may have several lines, and text that looks like the report
  return found && { ...found, output: found.output?.replace(/^[\s\S]*?(?:\n|^)Directory: [^\n]*\nOutput: /, '') }
}

function shellStatusOf(text: string): CallStatus {
  const report = SHELL_REPORT.exec(text)?.groups
  if (!report) return 'unknown'
  if (report.code === '0' && report.signal === '(none)') return report.error === '(none)' ? 'succeeded' : 'unknown'
  // without exit code and signal the status is unknown
  return report.code === '(none)' && report.signal === '(none)' ? 'unknown' : 'failed'
}
