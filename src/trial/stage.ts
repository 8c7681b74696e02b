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
import { gatherFacts } from '../runtime/index.ts'

/** What a session is played with. */
export interface Setting {
  readonly program: Policy
  readonly client: Client
  readonly root: string
  readonly home: string
  readonly regex: Regex
  readonly codeGates: Readonly<Record<string, CodeGate>>
  /** by gate id */
  readonly given: Readonly<Record<string, GateState>>
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
    return { regex: this.setting.regex, codeGates: this.setting.codeGates }
  }

  wait(seconds: number): void {
    this.#now += seconds * 1000
  }

  play(event: Event, env: Readonly<Record<string, string>>): Played {
    const input = this.inputFor(event, env)
    const result = evaluate(input, this.tools)
    this.#sessions.set(event.session, result.session)
    this.#shared = result.session.shared
    return { input, result, moved: movesIn(input, this.tools, result) }
  }

  inputFor(event: Event, env: Readonly<Record<string, string>>): Input {
    const { program, client, root, home } = this.setting
    const facts = gatherFacts(event, program, { now: this.#now, env, root, home })
    return { event, session: this.#session(event.session), program, facts, capabilities: client.capabilities }
  }

  /** Of a gate of scope agent the main agent's, or `gate@agent`. */
  stateOf(gate: Gate, { session }: Result, agent?: string): GateState | undefined {
    const key = gate.scope !== 'agent' ? gate.id : `${gate.id}@${agent === undefined ? 'main' : `agent:${agent}`}`
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
    for (const gate of program.gates) {
      const state = given[gate.id]
      if (!state) continue
      const memory = {
        state,
        operations: 0,
        changed: mark,
        ...(state === 'open' ? { opened: mark } : { closed: mark }),
      }
      if (gate.scope === 'project') this.#shared = { ...this.#shared, [gate.id]: memory }
      else gates[gate.scope === 'agent' ? `${gate.id}@main` : gate.id] = memory
    }
    return { ...session, gates }
  }
}

/** The record says which gates moved; which transition it was is found as the engine finds it. */
function movesIn(input: Input, tools: Tools, { record }: Result): readonly string[] {
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
