import type { Client } from '../clients/index.ts'
import {
  approach,
  type CodeGate,
  type Event,
  evaluate,
  type Gate,
  type Input,
  newSession,
  type Result,
  type Session,
  type Tools,
} from '../core/index.ts'
import type { GateState, Regex } from '../pattern/index.ts'
import type { Policy } from '../policy/index.ts'
import { gatherFacts, refusersOfSuggestion } from '../runtime/index.ts'

/** What a session is played with. */
export interface Setting {
  readonly program: Policy
  readonly client: Client
  readonly root: string
  readonly home: string
  readonly regex: Regex
  readonly codeGates: Readonly<Record<string, CodeGate>>
  /** by gate id, and `gate@agent` where every agent has its own */
  readonly given: Readonly<Record<string, GateState>>
}

/** What a gate's state is kept under: of the main agent, unless one is named. */
const keyOf = ({ id, scope }: Gate, agent = 'main'): string =>
  scope !== 'agent' ? id : `${id}@${agent === 'main' || agent === 'unknown' ? agent : `agent:${agent}`}`

/** States as who calls finds them: of a gate that every agent has for itself, its own. */
export function givenTo({ caller }: Event, given: Setting['given'], { gates }: Policy): Setting['given'] {
  const own = (id: string): boolean => gates.some(gate => gate.id === id && gate.scope === 'agent')
  const who = caller.kind === 'agent' ? caller.id : caller.kind
  return Object.fromEntries(Object.entries(given).map(([id, state]) => [own(id) ? `${id}@${who}` : id, state]))
}

export interface Played {
  readonly input: Input
  readonly result: Result
  /** `gate/transition` that this event brought about */
  readonly moved: readonly string[]
}

/** Sessions in memory, event by event, through the engine itself. Time stands still but for `wait`. */
export class Stage {
  readonly #sessions = new Map<string, Session>()
  #shared: Session['shared'] = {}
  #now = Date.UTC(2026, 0, 1)

  constructor(readonly setting: Setting) {}

  get tools(): Tools {
    return { regex: this.setting.regex, codeGates: this.setting.codeGates, refusers: refusersOfSuggestion }
  }

  wait(seconds: number): void {
    this.#now += seconds * 1000
  }

  play(event: Event, env: Readonly<Record<string, string>>, client?: Client): Played {
    const input = this.inputFor(event, env, client)
    const result = evaluate(input, this.tools)
    this.#sessions.set(sessionOf(event), result.session)
    this.#shared = result.session.shared
    return { input, result, moved: movesIn(input, this.tools, result) }
  }

  inputFor(event: Event, env: Readonly<Record<string, string>>, { capabilities }: Client = this.setting.client): Input {
    const { program, root, home } = this.setting
    const facts = gatherFacts(event, program, { now: this.#now, env, root, home })
    return { event, session: this.#session(sessionOf(event)), program, facts, capabilities }
  }

  /** Of a gate of scope agent the main agent's, or `gate@agent`. */
  stateOf(gate: Gate, { session }: Result, agent?: string): GateState | undefined {
    const key = keyOf(gate, agent)
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
      else gates[keyOf(gate, agent)] = memory
    }
    return { ...session, gates }
  }
}

/** Two clients have two sessions, whatever they call them. */
const sessionOf = ({ client, session }: Event): string => `${client} ${session}`

/** The record says which gates moved; which transition it was is found as the engine finds it. */
export function movesIn(input: Input, tools: Tools, { record }: Result): readonly string[] {
  const { walk, proposals } = approach(input, tools)
  const moved = new Set(record.moves.map(one => one.gate))
  const caused = proposals.filter(one => one.problem === undefined && moved.has(one.gate.id))
  const clocked = walk.clocked.flatMap(move => {
    const gate = input.program.gates.find(one => one.id === move.gate)
    const by = gate?.transitions.find(one => one.clock && one.to === move.to && one.from.includes(move.from))
    return by ? [`${move.gate}/${by.id}`] : []
  })
  return [...clocked, ...caused.map(({ gate, transition }) => `${gate.id}/${transition.id}`)]
}
