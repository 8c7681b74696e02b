import type { Condition, GateState, Quantifier, Regex, Truth } from '../../../engine/index.ts'
import {
  type Action,
  actionsOf,
  type Event,
  isOtherProgram,
  type MatchContext,
  matchCondition,
  type Program,
  programName,
} from '../../../engine/index.ts'
import { type Atom, isStateDependent } from './condition-atoms.ts'
import type { Environment } from './input-partitioning/environment-partition.ts'

/** The set of truth values that a condition can have over all states, as bits. */
export type TruthSet = number

export const TRUE_BIT = 1
export const FALSE_BIT = 2
export const UNKNOWN_BIT = 4
const TRUE_OR_FALSE = TRUE_BIT | FALSE_BIT

/** Of an action without a file there is nothing to know. */
export const mayHaveFile = ({ opaque, place, script, fetched }: Action): boolean =>
  opaque === true || place !== undefined || script !== undefined || fetched === true

const toTruthSet = (truth: Truth): TruthSet =>
  truth === 'true' ? TRUE_BIT : truth === 'false' ? FALSE_BIT : UNKNOWN_BIT

const negateTruthSet = (answers: TruthSet): TruthSet =>
  (answers & UNKNOWN_BIT) | (answers & TRUE_BIT ? FALSE_BIT : 0) | (answers & FALSE_BIT ? TRUE_BIT : 0)

/** Kleene conjunction over sets of truth values: false wins, then unknown. */
function andTruthSets(a: TruthSet, b: TruthSet): TruthSet {
  let result = 0
  if ((a | b) & FALSE_BIT) result |= FALSE_BIT
  if (a & TRUE_BIT && b & TRUE_BIT) result |= TRUE_BIT
  if ((a & UNKNOWN_BIT && b & (TRUE_BIT | UNKNOWN_BIT)) || (b & UNKNOWN_BIT && a & (TRUE_BIT | UNKNOWN_BIT)))
    result |= UNKNOWN_BIT
  return result
}

/** Known gate states by gate id. */
export type KnownGateStates = ReadonlyMap<string, GateState>

/** Caches truth sets by action and by event. Queries come in runs for the same object, so the last row is kept at hand. */
class TruthSetCache {
  readonly #rowsByAction = new Map<Action, Row>()
  readonly #rowsByEvent = new Map<Event, Row>()
  readonly #rowsByJudgedEvent = new Map<Event, Row>()
  readonly #ruleIndexes = new Map<object, number>()
  readonly #atomIndexes = new Map<Atom, number>()
  readonly #canonicalAtoms = new Map<Atom, Atom>()
  readonly #atomsByText = new Map<string, Atom>()
  #lastAction: Action | undefined
  #lastActionRow = new Row()
  #lastEvent: Event | undefined
  #lastEventRow = new Row()
  #lastJudgedEvent: Event | undefined
  #lastJudgedRow = new Row()

  canonicalAtom(atom: Atom): Atom {
    const known = this.#canonicalAtoms.get(atom)
    if (known) return known
    const text = JSON.stringify(atom)
    const first = this.#atomsByText.get(text) ?? atom
    this.#atomsByText.set(text, first)
    this.#canonicalAtoms.set(atom, first)
    return first
  }

  indexOf(atom: Atom): number {
    const known = this.#atomIndexes.get(atom)
    if (known !== undefined) return known
    const first = this.canonicalAtom(atom)
    const place = this.#atomIndexes.get(first) ?? this.#atomIndexes.size
    this.#atomIndexes.set(first, place)
    this.#atomIndexes.set(atom, place)
    return place
  }

  /** Caches the truth set of a rule or transition over all states. */
  memoizeRule(of: object, event: Event, approved: boolean, make: () => TruthSet): TruthSet {
    if (event !== this.#lastJudgedEvent) {
      this.#lastJudgedEvent = event
      this.#lastJudgedRow = rowOf(this.#rowsByJudgedEvent, event)
    }
    const row = this.#lastJudgedRow
    let place = this.#ruleIndexes.get(of)
    if (place === undefined) {
      place = this.#ruleIndexes.size
      this.#ruleIndexes.set(of, place)
    }
    const at = place * 2 + (approved ? 1 : 0)
    return row.at(at) ?? row.set(at, make())
  }

  rowOfAction(act: Action): Row {
    if (act === this.#lastAction) return this.#lastActionRow
    this.#lastAction = act
    this.#lastActionRow = rowOf(this.#rowsByAction, act)
    return this.#lastActionRow
  }

  rowOfEvent(event: Event): Row {
    if (event === this.#lastEvent) return this.#lastEventRow
    this.#lastEvent = event
    this.#lastEventRow = rowOf(this.#rowsByEvent, event)
    return this.#lastEventRow
  }
}

function rowOf<T extends object>(rows: Map<T, Row>, key: T): Row {
  const known = rows.get(key)
  if (known) return known
  const row = new Row()
  rows.set(key, row)
  return row
}

/** Truth sets by index, one byte each: there are millions of them. */
class Row {
  #cells = new Uint8Array(0)

  at(place: number): TruthSet | undefined {
    const cell = this.#cells[place]
    return cell === undefined || cell === 0 ? undefined : cell - 1
  }

  set(place: number, answer: TruthSet): TruthSet {
    if (place >= this.#cells.length) {
      const cells = new Uint8Array(Math.max(FEW, 2 * place))
      cells.set(this.#cells)
      this.#cells = cells
    }
    this.#cells[place] = answer + 1
    return answer
  }
}

const FEW = 64

/** Evaluates conditions without a session: state-dependent atoms may be true or false. */
export class MayMustEvaluator {
  readonly #program: Program
  readonly #regex: Regex
  readonly #root: string
  readonly #states: KnownGateStates
  readonly #env: Environment
  #cache = new TruthSetCache()

  constructor(
    program: Program,
    regex: Regex,
    root: string,
    { states = new Map(), env = {} }: { readonly states?: KnownGateStates; readonly env?: Environment } = {},
  ) {
    this.#env = env
    this.#program = program
    this.#regex = regex
    this.#root = root
    this.#states = states
  }

  /** The same evaluator with some gate states known. */
  withKnownStates(states: KnownGateStates): MayMustEvaluator {
    const other = new MayMustEvaluator(this.#program, this.#regex, this.#root, { states, env: this.#env })
    other.#cache = this.#cache
    return other
  }

  /** Caches the truth set of a rule or transition, which is needed again for every gate and client profile. */
  memoize(of: object, event: Event, approved: boolean, make: () => TruthSet): TruthSet {
    return this.#states.size > 0 ? make() : this.#cache.memoizeRule(of, event, approved, make)
  }

  truthSetOf(condition: Condition, act: Action, event: Event, quantifier: Quantifier, approved = false): TruthSet {
    if ('all' in condition) return this.#conjunction(condition.all, false, act, event, quantifier, approved)
    if ('any' in condition)
      return negateTruthSet(this.#conjunction(condition.any, true, act, event, quantifier, approved))
    if ('not' in condition)
      return negateTruthSet(this.truthSetOf(condition.not, act, event, quantifier === 'any' ? 'all' : 'any', approved))
    if ('with' in condition) return this.#othersTruthSet(condition.with, act, event, quantifier, approved)
    if (isStateDependent(condition))
      return condition.key === 'gate'
        ? this.#gateAtomTruthSet(condition.states)
        : condition.key === 'file'
          ? mayHaveFile(act)
            ? TRUE_OR_FALSE | UNKNOWN_BIT
            : FALSE_BIT
          : TRUE_OR_FALSE
    if (condition.key === 'approved') return approved === condition.is ? TRUE_BIT : FALSE_BIT
    if (EVENT_LEVEL_KEYS.has(condition.key)) return this.#eventAtomTruthSet(condition, act, event, quantifier)
    return this.actionAtomTruthSet(condition, act, event, quantifier)
  }

  /** Conjunction of all parts, or of their negations with `isNegated`. Stops at the first false. */
  #conjunction(
    parts: readonly Condition[],
    isNegated: boolean,
    act: Action,
    event: Event,
    quantifier: Quantifier,
    approved: boolean,
  ): TruthSet {
    let sum: TruthSet = TRUE_BIT
    for (const part of parts) {
      const answer = this.truthSetOf(part, act, event, quantifier, approved)
      sum = andTruthSets(sum, isNegated ? negateTruthSet(answer) : answer)
      if (sum === FALSE_BIT) break
    }
    return sum
  }

  /** Some other action of the call matches. An unreadable action may contain any other. */
  #othersTruthSet(
    condition: Condition,
    act: Action,
    event: Event,
    quantifier: Quantifier,
    approved: boolean,
  ): TruthSet {
    let none: TruthSet = act.opaque ? UNKNOWN_BIT : TRUE_BIT
    for (const other of actionsOf(event))
      if (other !== act)
        none = andTruthSets(none, negateTruthSet(this.truthSetOf(condition, other, event, quantifier, approved)))
    return negateTruthSet(none)
  }

  #gateAtomTruthSet(wanted: Extract<Atom, { readonly key: 'gate' }>['states']): TruthSet {
    const given = wanted.map(({ gate, state }) => [this.#states.get(gate), state] as const)
    if (given.some(([is, state]) => is !== undefined && !state.includes(is))) return FALSE_BIT
    return given.every(([is]) => is !== undefined) ? TRUE_BIT : TRUE_OR_FALSE
  }

  /** Maps structurally equal atoms to one object: policies repeat conditions. */
  canonicalAtom(atom: Atom): Atom {
    return this.#cache.canonicalAtom(atom)
  }

  /** Truth set of an atom that depends on the action only, cached. */
  actionAtomTruthSet(atom: Atom, act: Action, event: Event, quantifier: Quantifier): TruthSet {
    // events without a call share one empty action, so they cannot be cached by action
    if (!event.call) return this.#evaluateAtom(atom, act, event, quantifier)
    return this.#memoizeAtom(this.#cache.rowOfAction(act), atom, act, event, quantifier)
  }

  /** Truth set of an atom that depends on the event only, cached. `succeeded` is not: it depends on the action's own ending. */
  #eventAtomTruthSet(atom: Atom, act: Action, event: Event, quantifier: Quantifier): TruthSet {
    if (atom.key === 'succeeded') return this.#evaluateAtom(atom, act, event, quantifier)
    return this.#memoizeAtom(this.#cache.rowOfEvent(event), atom, act, event, quantifier)
  }

  #memoizeAtom(row: Row, atom: Atom, act: Action, event: Event, quantifier: Quantifier): TruthSet {
    const at = this.#cache.indexOf(atom) * 2 + (quantifier === 'any' ? 0 : 1)
    return row.at(at) ?? row.set(at, this.#evaluateAtom(atom, act, event, quantifier))
  }

  #evaluateAtom(atom: Atom, act: Action, event: Event, quantifier: Quantifier): TruthSet {
    const matchContext: MatchContext = {
      event,
      program: this.#program,
      facts: { now: 0, env: this.#env, root: this.#root },
      regex: this.#regex,
      turn: 0,
      state: () => undefined,
      captured: () => undefined,
      fill: value => value,
    }
    return toTruthSet(matchCondition(withCandidatesOnly(atom, act), act, matchContext, quantifier))
  }
}

/** Keys that depend on the event and not on the action. */
export const EVENT_LEVEL_KEYS: ReadonlySet<string> = new Set(['event', 'caller', 'succeeded', 'prompt', 'source'])

/** From this length on, the patterns of a condition that may be of a program are narrowed. */
const MIN_NARROWED = 12
const narrowed = new WeakMap<Atom, Map<string, Atom>>()

/** The atom without the patterns that are of another program than the action's: most lists name many. */
function withCandidatesOnly(atom: Atom, { words }: Action): Atom {
  const program = words?.[0]?.text
  if (atom.key !== 'command' || atom.in.length < MIN_NARROWED || typeof program !== 'string') return atom
  const name = programName(program)
  const known = narrowed.get(atom) ?? new Map<string, Atom>()
  narrowed.set(atom, known)
  const found = known.get(name) ?? { ...atom, in: atom.in.filter(matcher => !isOtherProgram(matcher, name)) }
  known.set(name, found)
  return found
}
