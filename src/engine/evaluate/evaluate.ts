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
  const { walk, proposals, seen } = proposeTransitions(input, tools)
  const voices = [
    ...judge(walk, proposals, seen),
    ...(walk.facts.replies ?? []).flatMap(reply => applySubHookReply(reply, walk)),
  ]
  const listed = mergeRefusals(voices, (of, among) => walk.refusers(of, among, walk, seen), walk.capabilities.shortens)
  const merged = mergeVerdicts([...failures(walk), ...listed.map(one => one.verdict)])
  const lowered = lowerOutcome(breakStopLoop(merged, walk.event, walk.session), walk.capability)
  const remembered = commitEvaluation(walk, proposals, voices, lowered)
  return { outcome: remembered.outcome, session: remembered.session, record: makeEventRecord(walk, voices, remembered) }
}

/** All steps before the gates judge. In `seen`, gates that this event opens are already open; closings count from the next event. */
export function proposeTransitions(input: EvaluationInput, tools: EvaluationTools) {
  const walk = beginEvaluation(input, tools)
  runClock(walk)
  const proposals = propose(walk)
  const seen = walk.memories.copy()
  for (const one of proposals) {
    if (one.problem === undefined && one.transition.to === 'open') seen.apply(one.gate, gateMoveOf(one, walk))
  }
  return { walk, proposals, seen }
}

/** Applies time-based transitions before the event is judged. They stay even if the event is denied. */
function runClock(walk: Evaluation): void {
  for (const gate of walk.program.gates) {
    if (!gate.transitions.some(transition => transition.clock)) continue
    const found = guarded(walk, gate, () => findTransition(gate, matchContextFor(gate, walk), 'clock'))
    if (!found) continue
    const move = gateMoveOf(found, walk)
    walk.memories.apply(gate, move)
    walk.clocked.push(move)
  }
}

/** The transitions that the event would cause. Every gate is matched against the same states. */
function propose(walk: Evaluation): readonly ProposedTransition[] {
  return walk.program.gates.flatMap(gate => {
    if (gate.initial === undefined) return []
    return guarded(walk, gate, () => findTransition(gate, matchContextFor(gate, walk), 'event')) ?? []
  })
}

function judge(walk: Evaluation, proposals: readonly ProposedTransition[], seen: GateStates): readonly RuleEffect[] {
  return walk.program.gates.flatMap(gate => guarded(walk, gate, () => judgeOne(gate, walk, seen, proposals)) ?? [])
}

function judgeOne(
  gate: Gate,
  walk: Evaluation,
  seen: GateStates,
  proposals: readonly ProposedTransition[],
): readonly RuleEffect[] {
  const context = matchContextFor(gate, walk, seen)
  const refused = proposals.flatMap(one => (one.gate === gate ? refusedCapture(one) : []))
  const firings = refused.concat(walk.judge(gate, context), askCode(gate, walk, seen))
  if (firings.length === 0) return []
  const bypass = gate.yields ? gate.bypass : undefined
  const bypassed = bypass !== undefined && matchCondition(bypass.when, { action: 'other' }, context, 'all') === 'true'
  return firings.map(firing => applyRule(firing, gate, walk, context, bypassed))
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
  if (!verdict) throw new Error(`its code ${gate.code} could not be loaded`)
  const { context = '', ...rest } = verdict
  const literal = (text: string) => text.replaceAll('{', '{{')
  if (rest.decision === 'pass') {
    const { decision: _, ...more } = rest
    const isSilent = context === '' && Object.keys(more).length === 0
    return isSilent ? [] : [{ ...codeGateEffect({ id: 'code', then: 'warn', message: literal(context) }), more }]
  }
  const { decision, reason, ...more } = rest
  return [
    { ...codeGateEffect({ id: 'code', then: decision, message: literal(reason), context: literal(context) }), more },
  ]
}

const codeGateEffect = (
  told: Pick<Rule, 'id' | 'then' | 'message' | 'context'>,
  named: MatchedRule['named'] = {},
): MatchedRule => {
  const rule: Rule = { ...told, events: [], when: { all: [] }, unsure: 'pass' }
  return { rule, act: { action: 'other' }, named, unsure: false, says: rule.then }
}

/** If a gate throws, only its own verdict is lost; the other gates still count. */
function guarded<T>(walk: Evaluation, gate: Gate, work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    walk.errors.push({ gate, text: messageOf(error) })
    return undefined
  }
}

/** Reports each failure once a session. Only a call can be denied on failure: a denied prompt is erased, a denied stop loops. */
function failures({ event, errors, session }: Evaluation): readonly Verdict[] {
  const refusable = event.kind === 'tool.before' || event.kind === 'permission.request'
  return errors.map(({ gate, text }) => {
    const message = session.told?.includes(gateFailureText({ gate, text }))
      ? ''
      : `signalbox: ${gateFailureText({ gate, text })}`
    const reason = `The gate "${gate.name}" failed, so the call is denied: ${text}`
    const refuses = refusable && gate.onError === 'closed' && gate.mode === 'block'
    return refuses ? { decision: 'deny', reason, message } : { decision: 'pass', message }
  })
}
