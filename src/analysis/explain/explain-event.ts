import type { GateState, Layer } from '../../engine/index.ts'
import {
  type Decision,
  type EvaluationResult,
  type Gate,
  matchContextFor,
  proposeTransitions,
} from '../../engine/index.ts'
import { messageOf } from '../../lib/errors.ts'
import type { PlayedEvent } from '../simulator/index.ts'
import { type ConditionTrace, traceCondition } from './condition-trace.ts'
import { type RuleTrace, traceRoutes, traceRule } from './rule-trace.ts'
import { type TransitionContext, type TransitionTrace, traceTransition } from './transition-trace.ts'

/** `skip`: no rule of the gate applies to this kind of event; `observed`: a rule matched, but the gate's mode gives it no effect. */
export type GateVerdict = 'deny' | 'ask' | 'allow' | 'warn' | 'observed' | 'bypassed' | 'pass' | 'skip' | 'error'

export interface GateTrace {
  readonly gate: string
  readonly name: string
  readonly layer: Layer
  readonly mode: string
  readonly verdict: GateVerdict
  /** the state its rules were matched against; absent for a gate without state */
  readonly state?: GateState
  /** the state before the event */
  readonly stateBefore?: GateState
  /** the state after the event, if it changes */
  readonly stateAfter?: GateState
  /** number of routes in the gate; `rules` lists only routes that can match */
  readonly routes?: number
  readonly rules: readonly RuleTrace[]
  readonly transitions: readonly TransitionTrace[]
  readonly bypass?: ConditionTrace
  readonly error?: string
  readonly at?: string
}

/** How every gate judged one event. The decision is the simulator's; the traces show why. */
export interface Explanation {
  readonly decision: Decision
  readonly reason: string
  readonly gate?: string
  readonly rule?: string
  readonly gates: readonly GateTrace[]
  readonly result: EvaluationResult
}

export function explainEvent(result: PlayedEvent): Explanation {
  const { input, tools } = result
  const { evaluation, proposals, seen } = proposeTransitions(input, tools)
  const moved = new Set(result.record.moves.map(move => move.gate))
  const transitionContext: TransitionContext = { evaluation, proposed: proposals, moved }
  const gates = input.program.gates.map(gate => {
    try {
      const before = matchContextFor(gate, evaluation)
      const context = matchContextFor(gate, evaluation, seen)
      const rules = [...gate.rules.map(rule => traceRule(rule, gate, context)), ...traceRoutes(gate, context)]
      const transitions = gate.transitions.map(transition =>
        traceTransition(transition, gate, before, transitionContext),
      )
      const bypass = gate.yields && gate.bypass && traceCondition(gate.bypass.when, { action: 'other' }, context, 'all')
      const states = { state: context.own?.state, was: before.own?.state }
      return toGateTrace(gate, result, { rules, transitions, ...(bypass && { bypass }), ...states })
    } catch (error) {
      return toGateTrace(gate, result, { rules: [], transitions: [], error: messageOf(error) })
    }
  })
  const { decision, reason } = result.outcome
  const { gate, rule } = result.record
  return { decision, reason, ...(gate && { gate }), ...(rule && { rule }), gates, result }
}

interface GateObservation {
  readonly rules: readonly RuleTrace[]
  readonly transitions: readonly TransitionTrace[]
  readonly bypass?: ConditionTrace
  readonly state?: GateState | undefined
  readonly was?: GateState | undefined
  readonly error?: string
}

function toGateTrace(
  gate: Gate,
  result: EvaluationResult,
  { rules, transitions, bypass, state, was, error }: GateObservation,
): GateTrace {
  const moves = result.record.moves.filter(move => move.gate === gate.id)
  const [first, last] = [moves[0], moves.at(-1)]
  const failed = error ?? result.record.errors.find(text => text.startsWith(`gate ${gate.id}: `))
  return {
    gate: gate.id,
    name: gate.name,
    layer: gate.layer,
    mode: gate.mode,
    verdict: failed === undefined ? recordedVerdictOf(gate, result, rules) : 'error',
    ...(gate.initial !== undefined && state && { state, stateBefore: first?.from ?? was ?? state }),
    ...(last && last.to !== first?.from && { stateAfter: last.to }),
    ...(gate.routes && { routes: gate.routes.list.length }),
    rules,
    transitions,
    ...(bypass?.truth === 'true' && { bypass }),
    ...(failed !== undefined && { error: failed }),
    ...(gate.at && { at: gate.at }),
  }
}

const VERDICT_ORDER = ['deny', 'ask', 'warn', 'allow'] as const

/** The verdict of the gate according to the event's record. */
function recordedVerdictOf(gate: Gate, { record }: EvaluationResult, rules: readonly RuleTrace[]): GateVerdict {
  const own = record.matches.filter(match => match.gate === gate.id)
  const effect = VERDICT_ORDER.find(word => own.some(match => match.effect === word))
  if (effect) return effect
  if (own.length > 0) return own.some(match => match.bypassed) ? 'bypassed' : 'observed'
  return rules.some(rule => rule.result !== 'event') ? 'pass' : 'skip'
}
