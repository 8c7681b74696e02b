import {
  approach,
  type Decision,
  evaluate,
  type Gate,
  type Input,
  messageOf,
  type Result,
  sceneFor,
  type Tools,
} from '../core/index.ts'
import type { GateState, Layer } from '../pattern/index.ts'
import { type Seen, seeCondition } from './condition.ts'
import { type RuleSeen, seeRoutes, seeRule } from './rule.ts'
import { seeTransition, type TransitionSeen, type Ways } from './transition.ts'

/** `skip`: no rule of it is about such an event; `observed`: it only looks on. */
export type GateVerdict = 'deny' | 'ask' | 'allow' | 'warn' | 'observed' | 'bypassed' | 'pass' | 'skip' | 'error'

export interface GateSeen {
  readonly gate: string
  readonly name: string
  readonly layer: Layer
  readonly mode: string
  readonly verdict: GateVerdict
  /** as its rules saw it; absent for a gate without state */
  readonly state?: GateState
  /** as it was when the event came */
  readonly was?: GateState
  /** … and as it is after it, where it moves */
  readonly becomes?: GateState
  /** how many routes it has: only those that can match are listed */
  readonly routes?: number
  readonly rules: readonly RuleSeen[]
  readonly transitions: readonly TransitionSeen[]
  readonly bypass?: Seen
  readonly error?: string
  readonly at?: string
}

/** One event as every gate saw it. The decision is the one of `evaluate`; the rest says how it came about. */
export interface Explanation {
  readonly decision: Decision
  readonly reason: string
  readonly gate?: string
  readonly rule?: string
  readonly gates: readonly GateSeen[]
  readonly result: Result
}

export function explainEvent(input: Input, tools: Tools): Explanation {
  const result = evaluate(input, tools)
  const { walk, proposals, seen } = approach(input, tools)
  const moved = new Set(result.record.moves.map(one => one.gate))
  const ways: Ways = { walk, proposed: proposals, moved }
  const gates = input.program.gates.map(gate => {
    try {
      const before = sceneFor(gate, walk)
      const scene = sceneFor(gate, walk, seen)
      const rules = [...gate.rules.map(rule => seeRule(rule, gate, scene)), ...seeRoutes(gate, scene)]
      const transitions = gate.transitions.map(one => seeTransition(one, gate, before, ways))
      const bypass = gate.yields && gate.bypass && seeCondition(gate.bypass.when, { action: 'other' }, scene, 'all')
      const states = { state: scene.own?.state, was: before.own?.state }
      return seenGate(gate, result, { rules, transitions, ...(bypass && { bypass }), ...states })
    } catch (error) {
      return seenGate(gate, result, { rules: [], transitions: [], error: messageOf(error) })
    }
  })
  const { decision, reason } = result.outcome
  const { gate, rule } = result.record
  return { decision, reason, ...(gate && { gate }), ...(rule && { rule }), gates, result }
}

interface Looked {
  readonly rules: readonly RuleSeen[]
  readonly transitions: readonly TransitionSeen[]
  readonly bypass?: Seen
  readonly state?: GateState | undefined
  readonly was?: GateState | undefined
  readonly error?: string
}

function seenGate(gate: Gate, result: Result, { rules, transitions, bypass, state, was, error }: Looked): GateSeen {
  const moves = result.record.moves.filter(one => one.gate === gate.id)
  const [first, last] = [moves[0], moves.at(-1)]
  const failed = error ?? result.record.errors.find(one => one.startsWith(`gate ${gate.id}: `))
  return {
    gate: gate.id,
    name: gate.name,
    layer: gate.layer,
    mode: gate.mode,
    verdict: failed === undefined ? verdictOf(gate, result, rules) : 'error',
    ...(gate.initial !== undefined && state && { state, was: first?.from ?? was ?? state }),
    ...(last && last.to !== first?.from && { becomes: last.to }),
    ...(gate.routes && { routes: gate.routes.list.length }),
    rules,
    transitions,
    ...(bypass?.truth === 'true' && { bypass }),
    ...(failed !== undefined && { error: failed }),
    ...(gate.at && { at: gate.at }),
  }
}

const STRICT = ['deny', 'ask', 'warn', 'allow'] as const

/** As it is on record. */
function verdictOf(gate: Gate, { record }: Result, rules: readonly RuleSeen[]): GateVerdict {
  const own = record.matches.filter(one => one.gate === gate.id)
  const said = STRICT.find(word => own.some(one => one.effect === word))
  if (said) return said
  if (own.length > 0) return own.some(one => one.bypassed) ? 'bypassed' : 'observed'
  return rules.some(one => one.fate !== 'event') ? 'pass' : 'skip'
}
