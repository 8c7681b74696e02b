import type { Regex } from '../pattern/index.ts'
import { type Capabilities, type Capability, capabilityOf } from './capability.ts'
import type { Event } from './event.ts'
import type { Facts } from './facts.ts'
import type { Gate, Program } from './gate.ts'
import { type Firing, judgeGate } from './judge.ts'
import { Memories } from './memory.ts'
import { recognise } from './recognise.ts'
import { type Scene, sceneOf } from './scene.ts'
import type { GateMemory, Move, Session } from './session.ts'
import type { Verdict } from './verdict.ts'
import type { Refused } from './voice.ts'

export interface Input {
  readonly event: Event
  readonly session: Session
  readonly program: Program
  readonly facts: Facts
  readonly capabilities: Capabilities
}

/** A gate written in code: synchronous, and trusted like a script. */
export type CodeGate = (event: Event, state: GateMemory) => Verdict

export interface Tools {
  readonly regex: Regex
  /** by gate id */
  readonly codeGates?: Readonly<Record<string, CodeGate>>
  /** in place of `judgeGate`, with the same answers: for who judges the same again and again */
  readonly asks?: (gate: Gate, scene: Scene) => readonly Firing[]
  /** which refusals of the same call, by index, also refuse what this one suggests */
  readonly refusers?: (of: Refused, among: readonly Refused[], walk: Walk, seen: Memories) => readonly number[]
  /** what this gate is shown in place of the event and the regexes */
  readonly views?: ((gate: Gate, event: Event) => Pick<Scene, 'event' | 'regex'>) | undefined
}

/** What the steps of one evaluation share. Only `memories`, `clocked` and `errors` change on the way. */
export interface Walk extends Input, Required<Omit<Tools, 'views'>>, Pick<Tools, 'views'> {
  readonly turn: number
  readonly capability: Capability
  readonly memories: Memories
  /** moves the clock made */
  readonly clocked: Move[]
  readonly errors: { readonly gate: Gate; readonly text: string }[]
}

export const failureOf = ({ gate, text }: Walk['errors'][number]): string => `gate ${gate.id}: ${text}`

/** A user's own prompt begins a turn: what still waited for the end of a call is dropped. */
export function setOut(input: Input, { regex, codeGates, asks = judgeGate, views, refusers = () => [] }: Tools): Walk {
  const event = recognise(input)
  const { program, facts, capabilities, session: old } = input
  const session = beginsTurn(event) ? { ...old, turn: old.turn + 1, waiting: [], stopsRefused: 0 } : old
  const memories = new Memories(session, event.caller, facts.now)
  if (session !== old) memories.beginTurn(program.gates)
  const capability = capabilityOf(capabilities, event.kind)
  // field by field: spreads here double the time of an evaluation
  const given = { event, program, facts, capabilities, session, regex, asks, codeGates: codeGates ?? {} }
  return Object.assign(given, { turn: session.turn, capability, memories, clocked: [], errors: [], views, refusers })
}

const beginsTurn = ({ kind, prompt, caller }: Event): boolean =>
  kind === 'prompt.submit' && prompt?.source === 'user' && caller.kind === 'main'

export const sceneFor = (gate: Gate, walk: Walk, memories: Memories = walk.memories): Scene =>
  sceneOf(gate, walk.views ? { ...walk, ...walk.views(gate, walk.event) } : walk, memories.of)
