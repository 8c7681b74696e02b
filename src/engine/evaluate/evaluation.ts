import type { Regex } from '../match/text.ts'
import { type Capabilities, type Capability, capabilityOf } from '../model/capabilities.ts'
import type { Event } from '../model/event.ts'
import type { Facts } from '../model/facts.ts'
import type { Gate, Program } from '../model/gate.ts'
import type { GateMove, GateVariables, Session } from '../model/session.ts'
import type { Verdict } from '../model/verdict.ts'
import { GateStates } from './gate-states.ts'
import { inferCaller } from './infer-caller.ts'
import { judgeGate, type MatchedRule } from './judge.ts'
import { type MatchContext, matchContextOf } from './match-context.ts'
import type { SourcedRefusal } from './rule-effect.ts'

export interface EvaluationInput {
  readonly event: Event
  readonly session: Session
  readonly program: Program
  readonly facts: Facts
  readonly capabilities: Capabilities
}

/** A gate written in code: synchronous, and trusted like a script. */
export type CodeGate = (event: Event, state: GateVariables) => Verdict

export interface EvaluationTools {
  readonly regex: Regex
  /** by gate id */
  readonly codeGates?: Readonly<Record<string, CodeGate>>
  /** an optional memoised `judgeGate` that gives the same results */
  readonly asks?: (gate: Gate, scene: MatchContext) => readonly MatchedRule[]
  /** indexes of the refusals of the same call that also refuse what this refusal suggests */
  readonly refusers?: (
    of: SourcedRefusal,
    among: readonly SourcedRefusal[],
    walk: Evaluation,
    seen: GateStates,
  ) => readonly number[]
  /** replaces the event and the regexes that this gate sees */
  readonly views?: ((gate: Gate, event: Event) => Pick<MatchContext, 'event' | 'regex'>) | undefined
}

/** What the steps of one evaluation share. Only `memories`, `clocked` and `errors` change during the evaluation. */
export interface Evaluation
  extends EvaluationInput,
    Required<Omit<EvaluationTools, 'views'>>,
    Pick<EvaluationTools, 'views'> {
  readonly turn: number
  readonly capability: Capability
  readonly memories: GateStates
  /** moves made by time-based transitions */
  readonly clocked: GateMove[]
  readonly errors: { readonly gate: Gate; readonly text: string }[]
}

export const gateFailureText = ({ gate, text }: Evaluation['errors'][number]): string => `gate ${gate.id}: ${text}`

/** A prompt of the user begins a turn and drops the pending effects of unfinished calls. */
export function beginEvaluation(
  input: EvaluationInput,
  { regex, codeGates, asks = judgeGate, views, refusers = () => [] }: EvaluationTools,
): Evaluation {
  const event = inferCaller(input)
  const { program, facts, capabilities, session: old } = input
  const session = beginsTurn(event) ? { ...old, turn: old.turn + 1, waiting: [], stopsRefused: 0 } : old
  const memories = new GateStates(session, event.caller, facts.now)
  if (session !== old) memories.beginTurn(program.gates)
  const capability = capabilityOf(capabilities, event.kind)
  // field by field: spreads here double the time of an evaluation
  const given = { event, program, facts, capabilities, session, regex, asks, codeGates: codeGates ?? {} }
  return Object.assign(given, { turn: session.turn, capability, memories, clocked: [], errors: [], views, refusers })
}

const beginsTurn = ({ kind, prompt, caller }: Event): boolean =>
  kind === 'prompt.submit' && prompt?.source === 'user' && caller.kind === 'main'

export const matchContextFor = (gate: Gate, walk: Evaluation, memories: GateStates = walk.memories): MatchContext =>
  matchContextOf(gate, walk.views ? { ...walk, ...walk.views(gate, walk.event) } : walk, memories.of)
