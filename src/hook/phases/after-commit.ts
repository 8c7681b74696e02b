import type { Reply } from '../../clients/index.ts'
import { matchFields } from '../../engine/index.ts'
import { evaluateRuleAlone } from '../../policy/index.ts'
import { exportOutcome } from '../exports/export-outcome.ts'
import type { HookServices } from '../services/hook-services.ts'
import type { DecisionWithExports, Prepared } from './decide.ts'

/** Phase 7: write the exported files and the debug trace. A failure here does not change the reply. */
export function afterCommit(
  { reply, exportContext: context }: DecisionWithExports,
  prepared: Prepared,
  { store, regex, debugTrace }: HookServices,
): Reply {
  const notices = store.takeNotices()
  if (!context) return reply
  const { project, complete } = prepared
  const { policy } = project
  const isExported = policy.exports.some(gateExport => gateExport.on.includes(context.client.id))
  const exported = isExported ? exportOutcome(reply, context, notices) : reply
  if (policy.program.gates.every(gate => gate.debug === undefined)) return exported
  const records = context.judged.map(({ result }) => result.record)
  return withTrace(exported, () => debugTrace()({ policy, ready: complete.sent, records, regex, engine }))
}

const engine = { evaluateRuleAlone, matchFields }

/** Adds the debug trace to stderr. It is not part of the stored reply. */
function withTrace(reply: Reply, trace: () => string): Reply {
  try {
    return { ...reply, stderr: [reply.stderr, trace()].filter(Boolean).join('\n') }
  } catch {
    return reply
  }
}
