import { turnsOf } from '../match/counter.ts'
import type { Regex } from '../match/text.ts'
import type { Event, Facts } from '../model/event.ts'
import { type Caller, callerKey, callKey } from '../model/event.ts'
import type { Gate, Program } from '../model/gate.ts'
import type { GateMove, GateTimestamp, GateVariables, PendingSpawn, Session } from '../model/session.ts'
import {
  agentName,
  closeParallelWindow,
  extendParallelWindow,
  hasAgentRun,
  isInParallelWindow,
  startParallelWindow,
  startTurnOf,
} from '../model/session.ts'
import type { Capabilities, Capability, Verdict } from '../model/verdict.ts'
import type { EventKind, GateState } from '../model/vocabulary.ts'
import { type MatchContext, matchContextOf } from './condition.ts'
import { judgeGate, type MatchedRule } from './judge.ts'
import { NO_CONFLICTS, type SourcedRefusal, type SuggestionConflicts } from './throttle.ts'

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
  readonly judge?: (gate: Gate, context: MatchContext) => readonly MatchedRule[]
  /** what this refusal suggests, against the other refusals of the same call */
  readonly conflicts?: (
    of: SourcedRefusal,
    among: readonly SourcedRefusal[],
    evaluation: Evaluation,
    seen: GateStates,
  ) => SuggestionConflicts
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
  { regex, codeGates, judge = judgeGate, views, conflicts = () => NO_CONFLICTS }: EvaluationTools,
): Evaluation {
  const event = inferCaller(input)
  const { program, capabilities, session: old } = input
  const facts = program.files?.known ? { ...input.facts, files: old.files } : input.facts
  const session = beginsTurn(event) ? { ...old, turn: old.turn + 1, waiting: [], stopsRefused: 0 } : old
  const memories = new GateStates(session, event.caller, facts.now)
  if (session !== old) memories.beginTurn(program.gates)
  const capability = capabilityOf(capabilities, event.kind)
  // field by field: spreads here double the time of an evaluation
  const given = { event, program, facts, capabilities, session, regex, judge, codeGates: codeGates ?? {} }
  return Object.assign(given, { turn: session.turn, capability, memories, clocked: [], errors: [], views, conflicts })
}

const beginsTurn = ({ kind, prompt, caller }: Event): boolean =>
  kind === 'prompt.submit' && prompt?.source === 'user' && caller.kind === 'main'

export const matchContextFor = (
  gate: Gate,
  evaluation: Evaluation,
  memories: GateStates = evaluation.memories,
): MatchContext =>
  matchContextOf(
    gate,
    evaluation.views ? { ...evaluation, ...evaluation.views(gate, evaluation.event) } : evaluation,
    memories.of,
  )

/** The gates' variables while one event is evaluated. They are written to a new session only at the end. */
export class GateStates {
  constructor(
    private readonly session: Session,
    private readonly caller: Caller,
    private readonly now: number,
    private readonly changed = new Map<string, { gate: Gate; memory: GateVariables }>(),
  ) {}

  copy = (): GateStates => new GateStates(this.session, this.caller, this.now, new Map(this.changed))

  of = (gate: Gate): GateVariables => {
    const key = this.key(gate)
    const saved = gate.scope === 'project' ? this.session.shared : this.session.gates
    return this.changed.get(key)?.memory ?? saved[key] ?? this.stamp(gate)
  }

  /** A turn of any session counts as a turn of every gate with scope `project`. */
  beginTurn(gates: readonly Gate[]): void {
    for (const gate of gates.filter(one => one.scope === 'project' && this.session.shared[one.id]))
      this.set(gate, { ...this.of(gate), turns: turnsOf(this.of(gate)) + 1 })
  }

  set(gate: Gate, memory: GateVariables): void {
    this.changed.set(this.key(gate), { gate, memory })
  }

  /** Self-transitions reset `opened` or `closed`, not `changed`. */
  apply(gate: Gate, { to, captured }: GateMove): void {
    const { fired, problem, ...memory } = this.of(gate)
    const mark = this.mark(memory.operations, gate.scope === 'project' ? turnsOf(memory) : undefined)
    this.set(gate, {
      ...memory,
      state: to,
      ...marked(to, mark),
      ...(to === memory.state ? fired && { fired } : { changed: mark }),
      ...(captured ? { captured: { ...memory.captured, [captured.name]: captured.value } } : problem && { problem }),
    })
  }

  /** The session's two maps of gate variables, with the changes of this event. */
  written = (): Pick<Session, 'gates' | 'shared'> => ({
    gates: this.added(this.session.gates, false),
    shared: this.added(this.session.shared, true),
  })

  private added(to: Session['gates'], isShared: boolean): Session['gates'] {
    const own = [...this.changed].filter(([, { gate }]) => (gate.scope === 'project') === isShared)
    return own.length === 0 ? to : { ...to, ...Object.fromEntries(own.map(([key, { memory }]) => [key, memory])) }
  }

  /** The first event that a gate sees sets its initial state and timestamps. */
  private stamp(gate: Gate): GateVariables {
    const mark = this.mark(0)
    const begun = { operations: 0, changed: mark, ...(gate.scope === 'project' && { turns: mark.turn }) }
    if (gate.initial === undefined) return { state: 'open', ...begun }
    const memory: GateVariables = { state: gate.initial, ...begun, ...marked(gate.initial, mark) }
    this.set(gate, memory)
    return memory
  }

  private key = (gate: Gate): string => (gate.scope === 'agent' ? `${gate.id}@${callerKey(this.caller)}` : gate.id)

  private mark = (operations: number, turn = this.session.turn): GateTimestamp => ({ at: this.now, turn, operations })
}

const marked = (state: GateState, mark: GateTimestamp) => (state === 'open' ? { opened: mark } : { closed: mark })

/** Adds what only the session knows: the source of a prompt, a caller that the client does not name, the turn an agent began in. */
export function inferCaller(input: EvaluationInput): Event {
  const event = whose(input)
  const began = startTurnOf(event, input.session.begun)
  return began === undefined ? event : { ...event, began }
}

function whose({ event, session, capabilities }: EvaluationInput): Event {
  const { kind, prompt, caller } = event
  if (prompt && isStopReason(prompt.text, session)) return { ...event, prompt: { ...prompt, source: 'system' } }
  if (capabilities.callers !== 'inferred' || caller.kind !== 'unknown') return event
  return kind === 'agent.stop' ? stopOf(event, session) : { ...event, caller: callerAmong(session.spawns, event) }
}

/** Some clients send our stop reason back as a prompt, joined line by line with the texts of other hooks. */
const isStopReason = (text: string, { stopReason }: Session): boolean =>
  stopReason !== '' && `\n${text}\n`.includes(`\n${stopReason}\n`)

/**
 * No agent in flight: the main agent. One: that agent, except for calls made in parallel with its spawn. Several: unknown. If transcripts
 * show that the agent spawned last has not run yet, the call is the main agent's.
 */
function callerAmong(spawns: readonly PendingSpawn[], { at, wrote }: Pick<Event, 'at' | 'wrote'> = {}): Caller {
  const [only, second] = spawns
  const last = spawns.at(-1)
  if (!only || !last) return { kind: 'main' }
  const isParallel = isInParallelWindow(at, last)
  if (isParallel && wrote !== undefined && !hasAgentRun(wrote, last)) return { kind: 'main' }
  if (second || (isParallel && wrote === undefined)) return { kind: 'unknown' }
  return { kind: 'agent', id: only.id, ...(only.agent && { type: only.agent }) }
}

/** An agent stops once: with its own last call, or with the end of its spawning call, which names it. A second report is `other`. */
function stopOf(event: Event, { spawns }: Session): Event {
  const { agent } = event
  const those = agent === undefined ? spawns : spawns.filter(spawn => agentName(spawn.agent ?? '') === agentName(agent))
  const caller = callerAmong(those)
  if (agent !== undefined && those.some(one => one.stopped)) return { ...event, kind: 'other', caller }
  return caller.kind === 'agent' ? { ...event, caller, ...(caller.type && { agent: caller.type }) } : event
}

/** A prompt, a stop and a new session end every spawn, because clients do not report the end of a cancelled spawn. */
export function spawnsAfter(evaluation: Evaluation, refused: boolean): readonly PendingSpawn[] {
  const { event, facts, capabilities } = evaluation
  const spawns = evaluation.session.spawns.map(extendParallelWindow(event.at))
  if (capabilities.callers !== 'inferred') return spawns
  const { kind, caller, call } = event
  if (kind === 'prompt.submit' || kind === 'turn.stop' || kind === 'session.start') return []
  if (kind === 'tool.after' || kind === 'tool.failed') {
    const ended = spawns.findIndex(one => one.call === callKey(event))
    return spawns.filter((_, nth) => nth !== ended).map(closeParallelWindow)
  }
  if (refused) return spawns
  if (kind === 'agent.stop' && caller.kind === 'agent')
    return spawns.map(one => (one.id === caller.id ? { ...one, stopped: true } : one))
  const spawn = kind === 'tool.before' ? call?.acts.find(act => act.action === 'spawn') : undefined
  const key = spawn && callKey(event)
  if (key === undefined) return spawns
  const id = `${facts.now}.${spawns.length}`
  return [...spawns, { call: key, id, ...(spawn?.agent && { agent: spawn.agent }), ...startParallelWindow(event.at) }]
}

export const capabilityOf = (capabilities: Capabilities, kind: EventKind): Capability =>
  capabilities.events[kind] ?? { can: ['pass'] }
