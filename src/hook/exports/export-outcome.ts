import type { Reply } from '../../clients/index.ts'
import { messageOf } from '../../lib/errors.ts'
import type { GateExport } from '../../policy/index.ts'
import { type LoggedFault, logFaults } from './error-log.ts'
import { type ExportContext, writeExports } from './exports.ts'

/** After the commit: writes the exported files. A failure here does not change the decision. */
export function exportOutcome(reply: Reply, exportContext: ExportContext, notices: readonly string[]): Reply {
  try {
    return writeAllExports(reply, exportContext, notices)
  } catch (error) {
    return withLines(reply, [`signalbox: an export failed: ${messageOf(error)}`])
  }
}

function writeAllExports(reply: Reply, exportContext: ExportContext, notices: readonly string[]): Reply {
  const { client, exports, root, now, judged } = exportContext
  const errors = judged.flatMap(({ result }) => result.record.errors)
  const faults: readonly LoggedFault[] = [
    ...notices.map((message): LoggedFault => ({ type: 'STATE_PARSE_ERROR', message, recovery: 'reset_state' })),
    ...errors.map((message): LoggedFault => ({ type: 'GATE_ERROR', message, recovery: 'continue' })),
    ...writeExports(exportContext),
  ]
  const tool = judged[0]?.event.call?.tool
  return withLines(reply, logFaults(exports, faults, { client: client.id, root, now, tool, decision: inReply(reply) }))
}

interface Failure {
  readonly client: string
  readonly root: string
  readonly now: number
  readonly cause?: 'input' | 'state' | 'time' | undefined
  readonly why: string
  readonly tool?: string | undefined
}

const TYPES = { input: 'INVALID_INPUT_JSON', state: 'STATE_READ_ERROR', time: 'HOOK_TIMEOUT' } as const

/** Logs a failed event in the exported error logs. */
export function exportFailure(reply: Reply, exports: readonly GateExport[], { cause, why, ...about }: Failure): Reply {
  const type = cause === undefined ? 'HOOK_ERROR' : TYPES[cause]
  const decision = inReply(reply)
  const recovery = decision === 'approve' ? 'fail_open' : 'fail_closed'
  return withLines(reply, logFaults(exports, [{ type, message: why, recovery }], { ...about, decision }))
}

const inReply = ({ refuses }: Reply): 'approve' | 'block' => (refuses ? 'block' : 'approve')

const withLines = (reply: Reply, lines: readonly string[]): Reply =>
  lines.length === 0 ? reply : { ...reply, stderr: [reply.stderr, ...lines].filter(Boolean).join('\n') }
