import { type Act, type Event, matchCondition, type Program, type Scene } from '../core/index.ts'
import type { Condition, GateState, Reading, Regex, Truth } from '../pattern/index.ts'
import { type Atom, isAboutState } from './atom.ts'

/** What a condition can answer, whatever the states are: a set of truths. */
export type Answers = number

export const TRUE = 1
export const FALSE = 2
export const UNKNOWN = 4
const EITHER = TRUE | FALSE

const bit = (truth: Truth): Answers => (truth === 'true' ? TRUE : truth === 'false' ? FALSE : UNKNOWN)

const negated = (answers: Answers): Answers =>
  (answers & UNKNOWN) | (answers & TRUE ? FALSE : 0) | (answers & FALSE ? TRUE : 0)

/** Kleene's `and` over sets: false wins, then unknown. */
function both(a: Answers, b: Answers): Answers {
  let result = 0
  if ((a | b) & FALSE) result |= FALSE
  if (a & TRUE && b & TRUE) result |= TRUE
  if ((a & UNKNOWN && b & (TRUE | UNKNOWN)) || (b & UNKNOWN && a & (TRUE | UNKNOWN))) result |= UNKNOWN
  return result
}

/** States of gates that are known, by id. */
export type Known = ReadonlyMap<string, GateState>

/** Asks about events without a session: what depends on states may be either. */
export class Oracle {
  readonly #program: Program
  readonly #regex: Regex
  readonly #root: string
  readonly #states: Known
  /** by atom, then by act: the same acts are asked about in many events */
  #known = new Map<Atom, Map<Act, Answers[]>>()
  #same = new Map<Atom, Atom>()
  #first = new Map<string, Atom>()

  constructor(program: Program, regex: Regex, root: string, states: Known = new Map()) {
    this.#program = program
    this.#regex = regex
    this.#root = root
    this.#states = states
  }

  /** The same, where some states are known. */
  knowing(states: Known): Oracle {
    const other = new Oracle(this.#program, this.#regex, this.#root, states)
    other.#known = this.#known
    other.#same = this.#same
    other.#first = this.#first
    return other
  }

  answers(condition: Condition, act: Act, event: Event, reading: Reading, approved = false): Answers {
    if ('all' in condition)
      return condition.all.reduce((sum, one) => both(sum, this.answers(one, act, event, reading, approved)), TRUE)
    if ('any' in condition)
      return negated(
        condition.any.reduce((sum, one) => both(sum, negated(this.answers(one, act, event, reading, approved))), TRUE),
      )
    if ('not' in condition)
      return negated(this.answers(condition.not, act, event, reading === 'any' ? 'all' : 'any', approved))
    if (isAboutState(condition)) return condition.key === 'gate' ? this.#ofStates(condition.states) : EITHER
    if (condition.key === 'approved') return approved === condition.is ? TRUE : FALSE
    if (ABOUT_EVENT.has(condition.key)) return this.#ask(condition, act, event, reading)
    return this.ofAct(condition, act, event, reading)
  }

  #ofStates(wanted: Extract<Atom, { readonly key: 'gate' }>['states']): Answers {
    const given = wanted.map(({ gate, state }) => [this.#states.get(gate), state] as const)
    if (given.some(([is, state]) => is !== undefined && !state.includes(is))) return FALSE
    return given.every(([is]) => is !== undefined) ? TRUE : EITHER
  }

  /** Atoms that ask for the same are one: a policy says many things more than once. */
  same(atom: Atom): Atom {
    const known = this.#same.get(atom)
    if (known) return known
    const text = JSON.stringify(atom)
    const first = this.#first.get(text) ?? atom
    this.#first.set(text, first)
    this.#same.set(atom, first)
    return first
  }

  /** Of the act alone, remembered. */
  ofAct(given: Atom, act: Act, event: Event, reading: Reading): Answers {
    // events without a call share one empty act
    if (!event.call) return this.#ask(given, act, event, reading)
    const atom = this.same(given)
    let acts = this.#known.get(atom)
    if (!acts) {
      acts = new Map()
      this.#known.set(atom, acts)
    }
    const at = reading === 'any' ? 0 : 1
    const known = acts.get(act) ?? []
    const answer = known[at] ?? this.#ask(atom, act, event, reading)
    known[at] = answer
    acts.set(act, known)
    return answer
  }

  #ask(atom: Atom, act: Act, event: Event, reading: Reading): Answers {
    const scene: Scene = {
      event,
      program: this.#program,
      facts: { now: 0, env: {}, root: this.#root },
      regex: this.#regex,
      turn: 0,
      state: () => undefined,
      captured: () => undefined,
      fill: value => value,
    }
    return bit(matchCondition(atom, act, scene, reading))
  }
}

/** Asked anew for each event: they do not depend on the act. */
export const ABOUT_EVENT: ReadonlySet<string> = new Set(['event', 'caller', 'succeeded', 'prompt', 'source'])
