import type { Capabilities, EvaluationResult, EvaluationTools, Session } from '../../engine/index.ts'
import type { Policy } from '../../policy/index.ts'
import { evaluateWithApprovalTrace } from '../approval/approval-trace.ts'
import type { LateRuns } from '../attestation/late-runs.ts'
import { evaluateLateRuns, withClosedGatesNoted } from '../attestation/late-runs.ts'
import { MISSED_RUNS, withMissedRuns } from '../attestation/missed-run.ts'
import type { EvaluationPlans } from '../budget/evaluation-budget.ts'
import type { EvaluatedEvent } from '../exports/exports.ts'
import type { PreparedEvent, PreparedPayload } from '../services/hook-services.ts'
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

/** Evaluates late runs first, then the payload's events: as a sub-hook rewrote them if the rewrite counts, else as sent. */
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
      const result = evaluateWithApprovalTrace(input, toolsFor(ready))
      return concernsRuns(ready.event, result) ? withMissedRuns(result, input) : result
    }),
    list,
  })
  const first = rewritten && judge(rewritten)
  const { list, judged, session } = first?.judged.some(isSettled) ? first : judge(sent)
  const happened = list.filter((_, nth) => judged[nth] && judged[nth].result.outcome.decision !== 'deny')
  const seen = () => happened.map(one => ({ input: inputFor(one, late.session), tools: toolsFor(one) }))
  return { session: withClosedGatesNoted(session, runs.running, seen), judged, late: late.judged }
}

/** A command may have ended, or the session holds why earlier runs did not count. */
const concernsRuns = ({ kind }: PreparedEvent['event'], { session }: EvaluationResult): boolean =>
  kind === 'tool.after' || kind === 'tool.failed' || session.exported?.[MISSED_RUNS] !== undefined

/** A rewrite counts if the rewritten call is denied or the client receives the new input. Otherwise the call runs as sent. */
const isSettled = ({ result: { outcome } }: EvaluatedEvent): boolean =>
  outcome.decision === 'deny' || outcome.input !== undefined

/** Evaluates the events of one payload, each in the session that the previous event left. */
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
    // the later events of a denied call do not happen
    if (ready.event.kind === 'tool.before' && result.outcome.decision === 'deny') break
  }
  return { session, judged }
}
