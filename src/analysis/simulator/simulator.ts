import type { Client } from '../../clients/index.ts'
import type { GateState, Regex } from '../../engine/index.ts'
import {
  type CodeGate,
  type EvaluationInput,
  type EvaluationResult,
  type EvaluationTools,
  type Event,
  evaluate,
  type Gate,
  newSession,
  proposeTransitions,
  type Session,
} from '../../engine/index.ts'
import { gatherFacts, refusersOfSuggestion } from '../../hook/index.ts'
import type { Policy } from '../../policy/index.ts'

/** The policy, client and initial states of a simulation. */
export interface SimulationSetup {
  readonly program: Policy
  readonly client: Client
  readonly root: string
  readonly home: string
  readonly regex: Regex
  readonly codeGates: Readonly<Record<string, CodeGate>>
  /** initial states by gate id, or `gate@agent` for gates with `scope: agent` */
  readonly given: Readonly<Record<string, GateState>>
}

/** Session key of a gate's state; for `scope: agent` the main agent's unless another agent is named. */
const gateStateKey = ({ id, scope }: Gate, agent = 'main'): string =>
  scope !== 'agent' ? id : `${id}@${agent === 'main' || agent === 'unknown' ? agent : `agent:${agent}`}`

/** Rewrites the keys of agent-scoped gates so that the states apply to the event's caller. */
export function statesSeenByCaller(
  { caller }: Event,
  given: SimulationSetup['given'],
  { gates }: Policy,
): SimulationSetup['given'] {
  const own = (id: string): boolean => gates.some(gate => gate.id === id && gate.scope === 'agent')
  const who = caller.kind === 'agent' ? caller.id : caller.kind
  return Object.fromEntries(Object.entries(given).map(([id, state]) => [own(id) ? `${id}@${who}` : id, state]))
}

export interface SimulationResult {
  readonly input: EvaluationInput
  readonly result: EvaluationResult
  /** `gate/transition` pairs that this event triggered */
  readonly moved: readonly string[]
}

/** Plays events of sessions in memory with the real engine. Time advances only by `wait`. */
export class Simulator {
  readonly #sessions = new Map<string, Session>()
  #shared: Session['shared'] = {}
  #now = Date.UTC(2026, 0, 1)

  constructor(readonly setting: SimulationSetup) {}

  get tools(): EvaluationTools {
    return { regex: this.setting.regex, codeGates: this.setting.codeGates, refusers: refusersOfSuggestion }
  }

  wait(seconds: number): void {
    this.#now += seconds * 1000
  }

  play(event: Event, env: Readonly<Record<string, string>>, client?: Client): SimulationResult {
    const input = this.inputFor(event, env, client)
    const result = evaluate(input, this.tools)
    this.#sessions.set(sessionKey(event), result.session)
    this.#shared = result.session.shared
    return { input, result, moved: findTriggeredTransitions(input, this.tools, result) }
  }

  inputFor(
    event: Event,
    env: Readonly<Record<string, string>>,
    { capabilities }: Client = this.setting.client,
  ): EvaluationInput {
    const { program, root, home } = this.setting
    const facts = gatherFacts(event, program, { now: this.#now, env, root, home })
    return { event, session: this.#session(sessionKey(event)), program, facts, capabilities }
  }

  /** The gate's state; for `scope: agent` that of `agent`, by default the main agent. */
  stateOf(gate: Gate, { session }: EvaluationResult, agent?: string): GateState | undefined {
    const key = gateStateKey(gate, agent)
    return (session.gates[key] ?? session.shared[key])?.state ?? gate.initial
  }

  #session(id: string): Session {
    return { ...(this.#sessions.get(id) ?? this.#begin(id)), shared: this.#shared }
  }

  #begin(id: string): Session {
    const { root, program, given } = this.setting
    const session = newSession(id, root, this.#now)
    const mark = { at: this.#now, turn: 0, operations: 0 }
    const gates: { [key: string]: Session['gates'][string] } = {}
    for (const [name, state] of Object.entries(given)) {
      const [, id, agent] = /^([^@]*)(?:@([\s\S]*))?$/.exec(name) ?? []
      const gate = program.gates.find(one => one.id === id)
      if (!gate) continue
      const stamp = state === 'open' ? { opened: mark } : { closed: mark }
      const turns = gate.scope === 'project' && { turns: 0 }
      const memory = { state, operations: 0, ...turns, changed: mark, ...stamp }
      if (gate.scope === 'project') this.#shared = { ...this.#shared, [gate.id]: memory }
      else gates[gateStateKey(gate, agent)] = memory
    }
    return { ...session, gates }
  }
}

/** Sessions of two clients are different even if their ids are equal. */
const sessionKey = ({ client, session }: Event): string => `${client} ${session}`

/** Finds which transitions moved the gates: the record names only the gates, so the engine proposes the transitions again. */
export function findTriggeredTransitions(
  input: EvaluationInput,
  tools: EvaluationTools,
  { record }: EvaluationResult,
): readonly string[] {
  const { walk, proposals } = proposeTransitions(input, tools)
  const moved = new Set(record.moves.map(one => one.gate))
  const caused = proposals.filter(one => one.problem === undefined && moved.has(one.gate.id))
  const clocked = walk.clocked.flatMap(move => {
    const gate = input.program.gates.find(one => one.id === move.gate)
    const by = gate?.transitions.find(one => one.clock && one.to === move.to && one.from.includes(move.from))
    return by ? [`${move.gate}/${by.id}`] : []
  })
  return [...clocked, ...caused.map(({ gate, transition }) => `${gate.id}/${transition.id}`)]
}
