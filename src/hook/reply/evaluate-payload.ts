import type { Capabilities, EvaluationResult, EvaluationTools, Session } from '../../engine/index.ts'
import type { Policy } from '../../policy/index.ts'
import { evaluateWithApprovalTrace } from '../approval/approval-trace.ts'
import { evaluateLateRuns, withClosedGatesNoted } from '../attestation/evaluate-late-runs.ts'
import type { LateRuns } from '../attestation/find-late-runs.ts'
import { withMissedRuns } from '../attestation/missed-run.ts'
import type { EvaluationPlans } from '../budget/evaluation-budget.ts'
import type { PreparedEvent, PreparedPayload } from '../events/prepare-event.ts'
import type { EvaluatedEvent } from '../exports/exports.ts'
import { refusersOfSuggestion } from './suggestion-order.ts'

interface Judging extends Pick<EvaluationTools, 'regex' | 'codeGates'> {
  readonly program: Policy
  readonly plans: EvaluationPlans
  readonly capabilities: Capabilities
}

interface Payload {
  readonly sent: PreparedPayload['sent']
  readonly rewritten: PreparedPayload['rewritten']
  readonly runs: LateRuns
}

/** Commands that ended after their calls, then the events of the payload: as a sub-hook rewrote them if that counts, else as they were sent. */
export function evaluatePayload({ sent, rewritten, runs }: Payload, loaded: Session, judging: Judging) {
  const { program, plans, capabilities, regex, codeGates } = judging
  const toolsFor = (ready: PreparedEvent): EvaluationTools => ({
    ...{ regex, codeGates: codeGates ?? {}, views: plans.of(ready)?.views, refusers: refusersOfSuggestion },
  })
  const inputFor = (ready: PreparedEvent, session: Session) => ({
    ...{ ...ready, session, capabilities, program: plans.of(ready)?.within(program) ?? program },
  })
  const late = evaluateLateRuns(runs.ended, loaded, { program, capabilities, tools: toolsFor })
  const judge = (list: readonly PreparedEvent[]) => ({
    ...judgeAll(list, late.session, (ready, session) => {
      const input = inputFor(ready, session)
      return withMissedRuns(evaluateWithApprovalTrace(input, toolsFor(ready)), input)
    }),
    list,
  })
  const first = rewritten && judge(rewritten)
  const { list, judged, session } = first?.judged.some(isSettled) ? first : judge(sent)
  const happened = list.filter((_, nth) => judged[nth] && judged[nth].result.outcome.decision !== 'deny')
  const seen = () => happened.map(one => ({ input: inputFor(one, late.session), tools: toolsFor(one) }))
  return { session: withClosedGatesNoted(session, runs.running, seen), judged, late: late.judged }
}

/** A rewritten call is refused, or the client hears how it was rewritten. Else what it sent is what runs. */
const isSettled = ({ result: { outcome } }: EvaluatedEvent): boolean =>
  outcome.decision === 'deny' || outcome.input !== undefined

/** Events of one payload, each in the session as the one before left it. */
function judgeAll(
  list: readonly PreparedEvent[],
  loaded: Session,
  judge: (ready: PreparedEvent, session: Session) => EvaluationResult,
) {
  let session = loaded
  const judged: EvaluatedEvent[] = []
  for (const ready of list) {
    const result = judge(ready, session)
    session = result.session
    judged.push({ event: ready.event, result })
    // what would follow from a refused call does not happen
    if (ready.event.kind === 'tool.before' && result.outcome.decision === 'deny') break
  }
  return { session, judged }
}
