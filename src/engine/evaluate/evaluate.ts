import { messageOf } from '../../lib/errors.ts'
import type { Gate, Rule } from '../model/gate.ts'
import type { Session } from '../model/session.ts'
import type { Outcome, Verdict } from '../model/verdict.ts'
import { commitEvaluation, type EventRecord, gateMoveOf, makeEventRecord } from './commit.ts'
import { matchCondition } from './condition.ts'
import type { GateStates } from './evaluation.ts'
import {
  beginEvaluation,
  type Evaluation,
  type EvaluationInput,
  type EvaluationTools,
  gateFailureText,
  matchContextFor,
} from './evaluation.ts'
import {
  breakStopLoop,
  findTransition,
  lowerOutcome,
  type MatchedRule,
  mergeVerdicts,
  type ProposedTransition,
} from './judge.ts'
import { applyRule, applySubHookReply, type RuleEffect } from './rule-effect.ts'
import { mergeRefusals } from './throttle.ts'

export interface EvaluationResult {
  readonly outcome: Outcome
  readonly session: Session
  readonly record: EventRecord
}

/** Evaluates one event. Pure: the same input gives the same result, without side effects. */
export function evaluate(input: EvaluationInput, tools: EvaluationTools): EvaluationResult {
  const { evaluation, proposals, seen } = proposeTransitions(input, tools)
  const judgements = [
    ...judge(evaluation, proposals, seen),
    ...(evaluation.facts.replies ?? []).flatMap(reply => applySubHookReply(reply, evaluation)),
  ]
  const listed = mergeRefusals(
    judgements,
    (of, among) => evaluation.conflicts(of, among, evaluation, seen),
    evaluation.capabilities.shortens,
  )
  const merged = mergeVerdicts([...failures(evaluation), ...listed.map(one => one.verdict)])
  const lowered = lowerOutcome(breakStopLoop(merged, evaluation.event, evaluation.session), evaluation.capability)
  const remembered = commitEvaluation(evaluation, proposals, judgements, lowered)
  return {
    outcome: remembered.outcome,
    session: remembered.session,
    record: makeEventRecord(evaluation, judgements, remembered),
  }
}

/** All steps before the gates judge. In `seen`, gates that this event opens are already open; closings count from the next event. */
export function proposeTransitions(input: EvaluationInput, tools: EvaluationTools) {
  const evaluation = beginEvaluation(input, tools)
  runClock(evaluation)
  const proposals = propose(evaluation)
  const seen = evaluation.memories.copy()
  for (const proposal of proposals) {
    if (proposal.problem === undefined && proposal.transition.to === 'open')
      seen.apply(proposal.gate, gateMoveOf(proposal, evaluation))
  }
  return { evaluation, proposals, seen }
}

/** Applies time-based transitions before the event is judged. They stay even if the event is denied. */
function runClock(evaluation: Evaluation): void {
  for (const gate of evaluation.program.gates) {
    if (!gate.transitions.some(transition => transition.clock)) continue
    const found = guarded(evaluation, gate, () => findTransition(gate, matchContextFor(gate, evaluation), 'clock'))
    if (!found) continue
    const move = gateMoveOf(found, evaluation)
    evaluation.memories.apply(gate, move)
    evaluation.clocked.push(move)
  }
}

/** The transitions that the event would cause. Every gate is matched against the same states. */
function propose(evaluation: Evaluation): readonly ProposedTransition[] {
  return evaluation.program.gates.flatMap(gate => {
    if (gate.initial === undefined) return []
    return guarded(evaluation, gate, () => findTransition(gate, matchContextFor(gate, evaluation), 'event')) ?? []
  })
}

function judge(
  evaluation: Evaluation,
  proposals: readonly ProposedTransition[],
  seen: GateStates,
): readonly RuleEffect[] {
  return evaluation.program.gates.flatMap(
    gate => guarded(evaluation, gate, () => judgeOne(gate, evaluation, seen, proposals)) ?? [],
  )
}

function judgeOne(
  gate: Gate,
  evaluation: Evaluation,
  seen: GateStates,
  proposals: readonly ProposedTransition[],
): readonly RuleEffect[] {
  const context = matchContextFor(gate, evaluation, seen)
  const refused = proposals.flatMap(proposal => (proposal.gate === gate ? refusedCapture(proposal) : []))
  const coded = guarded(evaluation, gate, () => askCode(gate, evaluation, seen)) ?? []
  const firings = refused.concat(evaluation.judge(gate, context), coded)
  if (!firings.length) return []
  const bypass = gate.yields ? gate.bypass : undefined
  const bypassed = bypass !== undefined && matchCondition(bypass.when, { action: 'other' }, context, 'all') === 'true'
  return firings.map(firing => applyRule(firing, gate, evaluation, context, bypassed))
}

/** If a capture does not validate, the transition's `invalid` acts as a rule. */
function refusedCapture({ transition, problem }: ProposedTransition): readonly MatchedRule[] {
  const { invalid, id } = transition
  return invalid && problem !== undefined ? [codeGateEffect({ ...invalid, id }, { problem })] : []
}

/** The verdict of a code gate acts as a rule too: mode, bypass and throttle apply as for any gate. */
function askCode(gate: Gate, { codeGates, event }: Evaluation, seen: GateStates): readonly MatchedRule[] {
  if (!gate.code) return []
  const verdict = codeGates[gate.id]?.(event, seen.of(gate))
  if (!verdict) throw new Error('its code was not loaded')
  const { context = '', ...rest } = verdict
  const literal = (text: string) => text.replaceAll('{', '{{')
  if (rest.decision === 'pass') {
    const { decision: _, ...more } = rest
    const isSilent = !context && !Object.keys(more).length
    return isSilent ? [] : [{ ...codeGateEffect({ id: 'code', then: 'warn', message: literal(context) }), more }]
  }
  const { decision, reason, ...more } = rest
  return [
    { ...codeGateEffect({ id: 'code', then: decision, message: literal(reason), context: literal(context) }), more },
  ]
}

const codeGateEffect = (
  effect: Pick<Rule, 'id' | 'then' | 'message' | 'context'>,
  named: MatchedRule['named'] = {},
): MatchedRule => {
  const rule: Rule = { ...effect, events: [], when: { all: [] }, unsure: 'pass' }
  return { rule, act: { action: 'other' }, named, unsure: false, decision: rule.then }
}

/** If a gate throws, only its own verdict is lost; the other gates still count. */
function guarded<T>(evaluation: Evaluation, gate: Gate, work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    evaluation.errors.push({ gate, text: messageOf(error) })
    return undefined
  }
}

/** Reports each failure once a session. Only a call can be denied on failure: a denied prompt is erased, a denied stop loops. */
function failures({ event, errors, session }: Evaluation): readonly Verdict[] {
  const refusable = event.kind === 'tool.before' || event.kind === 'permission.request'
  return errors.map(({ gate, text }) => {
    const message = session.notified?.includes(gateFailureText({ gate, text }))
      ? ''
      : `signalbox: ${gateFailureText({ gate, text })}`
    const reason = `The gate "${gate.name}" failed, so the call is denied: ${text}`
    const refuses = refusable && gate.onError === 'closed' && gate.mode === 'block'
    return refuses ? { decision: 'deny', reason, message } : { decision: 'pass', message }
  })
}
