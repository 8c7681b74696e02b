import { messageOf } from '../../lib/errors.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { GateExport } from '../../policy/index.ts'
import { redact } from '../../store/index.ts'
import { appendProjectFile } from './project-file.ts'

/** An error, and how the hook recovered from it. */
export interface LoggedFault {
  readonly type:
    | 'INVALID_INPUT_JSON'
    | 'STATE_READ_ERROR'
    | 'STATE_PARSE_ERROR'
    | 'STATE_WRITE_ERROR'
    | 'GATE_ERROR'
    | 'HOOK_ERROR'
    | 'HOOK_TIMEOUT'
  readonly message: string
  readonly recovery: 'fail_open' | 'fail_closed' | 'reset_state' | 'continue'
}

interface ErrorContext {
  readonly client: string
  readonly root: string
  readonly now: number
  readonly tool?: string | undefined
  readonly decision: 'approve' | 'block'
}

/** Appends each fault as a line of JSON to every error log for this client. Returns the lines for stderr, written or not. */
export function logFaults(
  exports: readonly GateExport[],
  faults: readonly LoggedFault[],
  about: ErrorContext,
): string[] {
  const logs = [
    ...new Set(
      exports.filter(gateExport => gateExport.on.includes(about.client)).flatMap(gateExport => gateExport.errors ?? []),
    ),
  ]
  if (logs.length === 0) return []
  const lines = faults.map(fault => JSON.stringify(entryOf(fault, about)))
  try {
    for (const log of logs) for (const line of lines) appendProjectFile(about.root, log, line)
    return lines
  } catch (error) {
    return [...lines, `signalbox: the error log cannot be written: ${messageOf(error)}`]
  }
}

const entryOf = ({ type, message, recovery }: LoggedFault, { now, tool, decision }: ErrorContext): JsonObject => ({
  timestamp: new Date(now).toISOString(),
  error_type: type,
  error_message: redact(message.slice(0, 1000)),
  tool_name: tool ?? null,
  decision,
  recovery_action: recovery,
})
