import { actsOf, type Event, type Gate, type Rule, type Transition } from '../core/index.ts'
import type { Condition, GateState } from '../pattern/index.ts'
import { atomsOf, rulesOf } from './atom.ts'
import type { Field } from './cone.ts'
import { type Deed, mayBeRefusedBy, mayFire, mayHappen, refusable } from './deed.ts'
import { type Known, type Oracle, TRUE } from './possible.ts'
import { callerOf } from './telling.ts'
import type { View } from './view.ts'

/** A deed from its beginning to the event that opens a gate. */
interface Opener {
  readonly deed: Deed
  /** that event, once for each who may be taken for its caller */
  readonly opens: readonly Event[]
  /** it is the beginning of the deed: the gate's rules see it open */
  readonly atOnce: boolean
  /** what is told up to there, and whatever comes of it by itself */
  readonly told: readonly Event[]
  /** of these, what a gate can refuse */
  readonly asked: readonly Event[]
}

/** What the deed is for. */
interface Target {
  readonly gate: Gate
  readonly opener: Opener
}

/** A rule that may have something against an event. */
interface Objection {
  readonly rule: Rule
  readonly gate: Gate
  readonly event: Event
  readonly known: Known
  readonly approved: boolean
}

interface WayParts {
  readonly field: Field
  readonly oracle: Oracle
  readonly view: View
  readonly agents: readonly string[]
}

/** Deeds that are tried in one search. */
const MOST_TRIED = 400
/** What opens one gate may close another that was opened before it. */
const MOST_ROUNDS = 4

/**
 * Ways out that hold in every state whatsoever, also in those that nobody can get into: one deed after the other, each
 * let through and doing what it is for, whatever is closed by then. Where there is one, it does not matter how a gate
 * came to be closed: by a line that does several things, by calls at once or by another session.
 */
export class Ways {
  readonly #field: Field
  readonly #oracle: Oracle
  readonly #view: View
  readonly #agents: readonly string[]
  readonly #openers = new Map<Gate, readonly Opener[]>()
  #open = new Set<Gate>()
  #left = 0
  #people = true

  constructor({ field, oracle, view, agents }: WayParts) {
    this.#field = field
    this.#oracle = oracle
    this.#view = view
    this.#agents = agents
  }

  /** Can an agent, or a person where only people open something, open it from everywhere? */
  opens(gate: Gate): boolean {
    this.#begin({ people: true })
    return this.#opened(gate, new Set(), { isGoal: true })
  }

  /** Can an agent get to where this is let through, from everywhere and without a person? */
  ends(deed: Deed): boolean {
    if (this.#view.inferred && deed.by !== 'main') return false
    this.#begin({ people: false })
    const events = refusable(deed).flatMap(event => this.#callers(event, deed))
    return !this.#isJudgedByCode && this.#cleared(deed, events, undefined, new Set())
  }

  #begin({ people }: { readonly people: boolean }): void {
    this.#open = new Set()
    this.#left = MOST_TRIED
    this.#people = people
  }

  /** Code that cannot be loaded refuses, if it is to. */
  get #isJudgedByCode(): boolean {
    return this.#field.program.gates.some(gate => gate.code !== undefined && gate.onError === 'closed')
  }

  #opened(gate: Gate, waiting: ReadonlySet<Gate>, { isGoal = false } = {}): boolean {
    if (this.#open.has(gate)) return true
    if (waiting.has(gate) || !isPlain(gate) || (!isGoal && closesByClock(gate))) return false
    if (gate.opens === 'human' && this.#people) {
      this.#open.add(gate)
      return true
    }
    const before = new Set(this.#open)
    for (const opener of this.#openersOf(gate)) {
      if (this.#left-- <= 0) return false
      if (this.#does(opener, gate, new Set([...waiting, gate]))) return true
      this.#open = new Set(before)
    }
    return false
  }

  #does(opener: Opener, gate: Gate, waiting: ReadonlySet<Gate>): boolean {
    const { deed, told, asked } = opener
    const target = { gate, opener }
    if (this.#isJudgedByCode || !this.#cleared(deed, asked, target, waiting)) return false
    const oracle = this.#oracle.knowing(this.#known(target))
    const mayClose = (one: Gate): boolean =>
      one.transitions.some(
        step => step.to === 'closed' && told.some(event => mayHappen(step, event, oracle, deed.call?.approved)),
      )
    // what is told of an agent after it opened the gate must not close it again
    if (deed.spawns !== undefined && mayClose(gate)) return false
    for (const one of [...this.#open]) if (mayClose(one)) this.#open.delete(one)
    this.#open.add(gate)
    return true
  }

  /** Opens whatever is in the way of the deed. */
  #cleared(deed: Deed, asked: readonly Event[], target: Target | undefined, waiting: ReadonlySet<Gate>): boolean {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const first = this.#inTheWay(deed, asked, target)
      if (!first) return false
      if (first.length === 0) return true
      if (!first.every(gate => this.#opened(gate, waiting))) return false
    }
    return false
  }

  /** Gates that have to be open first; undefined: it may be refused, or open nothing, all the same. */
  #inTheWay(deed: Deed, asked: readonly Event[], target: Target | undefined): readonly Gate[] | undefined {
    const needed = target ? this.#needed(target) : []
    if (!needed) return undefined
    const found = new Set<Gate>(needed)
    const known = this.#known(target, target?.opener.atOnce)
    const { gates } = this.#field.program
    const refusers = this.#view.inferred ? gates : this.#field.refusers(deed)
    for (const event of asked) {
      if (gates.some(gate => gate.transitions.some(step => mayObject(step, event, this.#oracle)))) return undefined
      for (const gate of refusers) {
        if (gate.mode !== 'block' || !this.#view.refuses(event.kind)) continue
        for (const rule of rulesOf(gate)) {
          const first = this.#silenced({ rule, gate, event, known, approved: deed.call?.approved ?? false })
          if (!first) return undefined
          for (const one of first) found.add(one)
        }
      }
    }
    return [...found]
  }

  /** Rules see what the event opens; what makes it open does not. */
  #known(target: Target | undefined, isOpening = false): Known {
    const known = new Map<string, GateState>([...this.#open].map(gate => [gate.id, 'open']))
    if (target) known.set(target.gate.id, isOpening ? 'open' : 'closed')
    return known
  }

  /** What has to be open for the rule to keep silent; undefined: it may refuse all the same. */
  #silenced({ rule, gate, event, known, approved }: Objection): readonly Gate[] | undefined {
    if (!rule.events.includes(event.kind)) return []
    const isRefused = (states: Known): boolean =>
      mayBeRefusedBy(rule, event, this.#oracle.knowing(states), this.#view, approved)
    // it has said so often enough once it is tried again, unless what is tried moves the gate: then it counts anew
    const isMoved = gate.transitions.some(one => mayHappen(one, event, this.#oracle, approved))
    if (rule.limit !== undefined && gate.rules.includes(rule) && !isMoved) return []
    if (!isRefused(known)) return []
    const state = known.get(gate.id)
    if (rule.while !== undefined && gate.initial !== undefined) {
      if (state !== undefined && state !== rule.while) return []
      if (state === undefined && rule.while === 'closed') return [gate]
    }
    const first = this.#unknownIn([rule.when, ...(rule.unless ? [rule.unless] : [])], known)
    return first.length > 0 && !isRefused(withOpen(known, first)) ? first : undefined
  }

  /** What has to be open for the event to open its gate for certain; undefined: it may not. */
  #needed(target: Target): readonly Gate[] | undefined {
    const { opens, deed } = target.opener
    const found = opens.map(event => this.#neededFor(event, target.gate, this.#known(target), deed.call?.approved))
    return found.every(one => one !== undefined) ? [...new Set(found.flat())] : undefined
  }

  #neededFor(opens: Event, gate: Gate, known: Known, approved = false): readonly Gate[] | undefined {
    const phases: readonly Event[] = opens.call ? [opens, { ...opens, kind: 'tool.before' }] : [opens]
    const closing = gate.transitions.filter(one => one.to === 'closed' && one.from.includes('open'))
    if (closing.some(one => phases.some(phase => mayHappen(one, phase, this.#oracle, approved)))) return undefined
    for (const step of gate.transitions) {
      if (step.clock || !step.from.includes('closed') || !step.events.includes(opens.kind)) continue
      if (step.to === 'closed' && mayHappen(step, opens, this.#oracle, approved)) return undefined
      if (step.to === 'closed' || step.capture) continue
      const happens = (states: Known): boolean => isSure(step, opens, this.#oracle.knowing(states), approved)
      if (happens(known)) return []
      const first = this.#unknownIn([step.when], known)
      if (first.length > 0 && happens(withOpen(known, first))) return first
    }
    return undefined
  }

  #unknownIn(conditions: readonly Condition[], known: Known): readonly Gate[] {
    const ids = conditions.flatMap(atomsOf).flatMap(atom => (atom.key === 'gate' ? atom.states : []))
    const wanted = new Set(ids.map(one => one.gate).filter(id => !known.has(id)))
    return this.#field.program.gates.filter(gate => wanted.has(gate.id))
  }

  #openersOf(gate: Gate): readonly Opener[] {
    const known = this.#openers.get(gate)
    if (known) return known
    const steps = gate.transitions.filter(one => one.to === 'open')
    const found = this.#field
      .movers(gate, 'open')
      .filter(deed => deed.by === 'main' || deed.events[0]?.kind === 'agent.stop')
      .flatMap(deed =>
        deed.events
          .filter(event => event.kind !== 'permission.request')
          .filter(event => steps.some(step => mayHappen(step, event, this.#oracle, deed.call?.approved)))
          .flatMap(event => this.#openerBy(deed, event)),
      )
    this.#openers.set(gate, found)
    return found
  }

  #openerBy(deed: Deed, event: Event): readonly Opener[] {
    const [first] = deed.events
    if (!first) return []
    if (deed.by !== 'main' || deed.spawns !== undefined) return this.#openersByAgent(deed, event)
    const atOnce = event === first
    // a transition that an `ask` holds back happens later, if at all
    if (atOnce && this.#mayAsk(first, deed)) return []
    const opens = this.#callers(event, deed)
    const asked = this.#callers(first, deed)
    return [{ deed, opens, atOnce, asked, told: atOnce ? asked : [...asked, ...opens] }]
  }

  /** Somebody is spawned, stops, and the call that did it ends; nobody who is in flight can be kept from ending. */
  #openersByAgent(deed: Deed, event: Event): readonly Opener[] {
    if (this.#view.inferred) return []
    const { deeds } = this.#field
    const stops = deeds.filter(one => one.events[0]?.kind === 'agent.stop')
    if (stops.some(one => this.#field.refusers(one).length > 0)) return []
    const agent = deed.spawns ?? deed.by
    const stop = stops.find(one => one.by === agent)?.events ?? []
    return deeds
      .filter(one => (deed.spawns === undefined ? one.by === 'main' && one.spawns === agent : one === deed))
      .flatMap(spawn => {
        const [first, ...ends] = spawn.events
        if (!first || this.#mayAsk(first, spawn)) return []
        const starts = ends.filter(({ kind }) => kind === 'agent.start')
        const asked = [first, ...starts, ...stop.filter(({ kind }) => kind === 'agent.stop')]
        return [{ deed: spawn, opens: [event], atOnce: event === first, asked, told: [first, ...stop, ...ends] }]
      })
  }

  #mayAsk(event: Event, { call }: Deed): boolean {
    return (
      this.#view.asks(event.kind) &&
      this.#field.program.gates.some(
        gate =>
          gate.mode === 'block' &&
          rulesOf(gate).some(rule => {
            const { sure, unsure } = mayFire(rule, event, this.#oracle, call?.approved)
            return (sure && rule.then === 'ask') || (unsure && rule.unsure === 'ask')
          }),
      )
    )
  }

  /** Where callers are inferred, whoever is in flight may be taken for the one who calls. */
  #callers(event: Event, { by }: Deed): readonly Event[] {
    if (!this.#view.inferred || by !== 'main') return [event]
    const others = this.#agents.map(callerOf)
    return [event, ...[{ kind: 'unknown' } as const, ...others].map(caller => ({ ...event, caller }))]
  }
}

/** One memory that every caller shares. */
const isPlain = ({ initial, scope }: Gate): boolean => initial !== undefined && scope !== 'agent'

const closesByClock = ({ transitions }: Gate): boolean => transitions.some(one => one.clock && one.to === 'closed')

/** What it captures may be refused for its form. */
const mayObject = (step: Transition, event: Event, oracle: Oracle): boolean =>
  step.invalid !== undefined && step.invalid.then !== 'warn' && mayHappen(step, event, oracle)

const isSure = (step: Transition, event: Event, oracle: Oracle, approved: boolean): boolean =>
  actsOf(event).some(act => oracle.answers(step.when, act, event, 'all', approved) === TRUE)

const withOpen = (known: Known, gates: readonly Gate[]): Known =>
  new Map([...known, ...gates.map(gate => [gate.id, 'open'] as const)])
