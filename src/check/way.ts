import type { Event, Gate, Transition } from '../core/index.ts'
import type { Condition, GateState } from '../pattern/index.ts'
import { atomsOf, rulesOf } from './atom.ts'
import type { Cone, Field } from './cone.ts'
import { type Deed, isSure, mayBeRefusedBy, mayHappen, mayObject, refusable } from './deed.ts'
import { waitsForOpen } from './guarding.ts'
import { closesByClock, isPlain, staysAWhile } from './lasting.ts'
import { Lessons } from './lesson.ts'
import { isTiring, type Opener, Openers, type WayParts } from './opener.ts'
import type { Known, Oracle } from './possible.ts'
import type { View } from './view.ts'
import { type Means, type Objection, type Target, withOpen } from './way-parts.ts'

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
  readonly #openers: Openers
  readonly #lessons: Lessons
  #open = new Set<Gate>()
  #left = 0
  #people = true
  /** somebody is spawned between the last opening and what it is for */
  #spawning = false
  /** the agent that has to do it all by itself: whoever spawned it waits */
  #alone: string | undefined

  constructor(parts: WayParts) {
    const { field, oracle, view } = parts
    this.#field = field
    this.#oracle = oracle
    this.#view = view
    this.#openers = new Openers(parts)
    this.#lessons = new Lessons(parts)
  }

  /** Can an agent, or a person where only people open something, open it from everywhere? */
  opens(gate: Gate): boolean {
    this.#begin({ people: true })
    return this.#opened(gate, new Set(), { isGoal: true })
  }

  /** Can an agent get to where this is let through, from everywhere and without a person? */
  ends(deed: Deed): boolean {
    if (this.#view.inferred && deed.by !== 'main') return false
    this.#begin({ people: false, ...(deed.by !== 'main' && { alone: deed.by }) })
    const events = refusable(deed).flatMap(event => this.#openers.callers(event, deed))
    return !this.#isUnforeseen && this.#cleared(deed, events, undefined, new Set())
  }

  /** Can somebody get, from everywhere, to where no closed gate refuses this? What refuses it in any case is not their matter. */
  permits(deed: Deed): boolean {
    if (this.#isUnforeseen) return false
    const work = refusable(deed).flatMap(event => this.#openers.callers(event, deed))
    const isFree = (): readonly Gate[] | undefined => this.#inTheWay(deed, work, undefined, { isWork: true })
    if (deed.by === 'main') {
      this.#begin({ people: true })
      return this.#clearedOf(isFree, new Set())
    }
    const { deeds } = this.#field
    if (this.#openers.isKept) return false
    return deeds.some(spawn => spawn.by === 'main' && spawn.spawns === deed.by && this.#permitsTo(spawn, isFree))
  }

  /** Whoever is in flight ends, and one is spawned who does it. */
  #permitsTo(spawn: Deed, isFree: () => readonly Gate[] | undefined): boolean {
    this.#begin({ people: true, spawning: true })
    const asked = refusable(spawn).flatMap(event => this.#openers.callers(event, spawn))
    const first = (): readonly Gate[] | undefined => {
      const [own, work] = [this.#inTheWay(spawn, asked, undefined), isFree()]
      return own && work && [...new Set([...own, ...work])]
    }
    if (!this.#clearedOf(first, new Set())) return false
    const oracle = this.#oracle
    const mayClose = ({ transitions }: Gate): boolean =>
      transitions.some(
        step => step.to === 'closed' && asked.some(event => mayHappen(step, event, oracle, spawn.call?.approved)),
      )
    return ![...this.#open].some(mayClose)
  }

  learn(gate: Gate, cone: Cone): void {
    this.#lessons.learn(gate, cone)
  }

  #begin({ people, spawning = false, alone }: Means): void {
    this.#spawning = spawning
    this.#alone = alone
    this.#open = new Set()
    this.#left = MOST_TRIED
    this.#people = people
  }

  /** Code that cannot be loaded refuses, if it is to. And where prompts are refused, nobody may be there to do anything. */
  get #isUnforeseen(): boolean {
    const { program, rests } = this.#field
    return rests || program.gates.some(gate => gate.code !== undefined && gate.onError === 'closed')
  }

  #opened(gate: Gate, waiting: ReadonlySet<Gate>, { isGoal = false } = {}): boolean {
    if (this.#open.has(gate)) return true
    if (waiting.has(gate) || !isPlain(gate) || (!isGoal && !this.#stays(gate, { atOnce: false }))) return false
    if (gate.opens === 'human' && this.#people) {
      this.#open.add(gate)
      return true
    }
    const before = new Set(this.#open)
    for (const opener of this.#openers.of(gate, this.#alone)) {
      if (this.#left-- <= 0) return false
      if (!isGoal && !this.#stays(gate, opener)) continue
      if (this.#does(opener, gate, new Set([...waiting, gate]))) return true
      this.#open = new Set(before)
    }
    return (isGoal || this.#stays(gate, { atOnce: true })) && this.#isLearnt(gate, { isGoal })
  }

  /** Is it still open for what comes next? What opens it at once is itself counted, and so is a spawn in between. */
  #stays(gate: Gate, { atOnce }: { readonly atOnce: boolean }): boolean {
    return !closesByClock(gate) || staysAWhile(gate, 1 + Number(atOnce) + Number(this.#spawning))
  }

  #isLearnt(gate: Gate, { isGoal }: { readonly isGoal: boolean }): boolean {
    const lesson = this.#lessons.of(gate)
    if (!lesson || this.#alone !== undefined || (lesson.people && !this.#people) || (lesson.isUndone && !isGoal))
      return false
    for (const one of [...this.#open]) if (lesson.closes.has(one) || closesByClock(one)) this.#open.delete(one)
    this.#open.add(gate)
    return true
  }

  #does(opener: Opener, gate: Gate, waiting: ReadonlySet<Gate>): boolean {
    const { deed, told, asked } = opener
    const target = { gate, opener }
    if (this.#isUnforeseen || !this.#cleared(deed, asked, target, waiting)) return false
    const oracle = this.#oracle.knowing(this.#known(target))
    const mayClose = (one: Gate): boolean =>
      one.transitions.some(
        step => step.to === 'closed' && told.some(event => mayHappen(step, event, oracle, deed.call?.approved)),
      )
    // what is told of an agent after it opened the gate must not close it again
    if (deed.spawns !== undefined && mayClose(gate)) return false
    for (const one of [...this.#open]) if (mayClose(one) || closesByClock(one)) this.#open.delete(one)
    this.#open.add(gate)
    return true
  }

  /** Opens whatever is in the way of the deed. */
  #cleared(deed: Deed, asked: readonly Event[], target: Target | undefined, waiting: ReadonlySet<Gate>): boolean {
    return this.#clearedOf(() => this.#inTheWay(deed, asked, target), waiting)
  }

  #clearedOf(inTheWay: () => readonly Gate[] | undefined, waiting: ReadonlySet<Gate>): boolean {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const first = inTheWay()
      if (!first) return false
      if (first.length === 0) return true
      if (!first.every(gate => this.#opened(gate, waiting))) return false
    }
    return false
  }

  /** Gates that have to be open first; undefined: it may be refused, or open nothing, all the same. */
  #inTheWay(
    deed: Deed,
    asked: readonly Event[],
    target: Target | undefined,
    { isWork = false } = {},
  ): readonly Gate[] | undefined {
    const needed = target ? this.#needed(target) : []
    if (!needed) return undefined
    const found = new Set<Gate>(needed)
    const { gates } = this.#field.program
    const deeds = [deed, ...(target?.opener.then ? [target.opener.then] : [])]
    const refusers = this.#openers.isAnybody
      ? gates
      : gates.filter(gate => deeds.some(one => this.#field.refusers(one).includes(gate)))
    for (const event of asked) {
      const isOpening = target && (target.opener.atOnce || target.opener.opens.includes(event))
      const known = this.#seenAt(event, target, isOpening, deed.call?.approved)
      if (gates.some(gate => gate.transitions.some(step => mayObject(step, event, this.#oracle)))) return undefined
      for (const gate of refusers) {
        if (gate.mode !== 'block' || !this.#view.refuses(event.kind)) continue
        for (const rule of rulesOf(gate)) {
          if (isWork && !waitsForOpen(rule, gate, deed, { oracle: this.#oracle, view: this.#view })) continue
          const first = this.#silenced({ rule, gate, event, known, approved: deed.call?.approved ?? false })
          if (!first) return undefined
          for (const one of first) found.add(one)
        }
      }
    }
    return [...found]
  }

  /** Rules see what the event opens; what makes it open does not. */
  #known(target: Target | undefined, isOpening = false, event?: Event): Known {
    const known = new Map<string, GateState>([...this.#open].map(gate => [gate.id, 'open']))
    if (target && event) for (const id of this.#openers.closedBefore(event, target.opener)) known.delete(id)
    if (target) known.set(target.gate.id, isOpening ? 'open' : 'closed')
    return known
  }

  /** As rules see it at this event: what it may open by the way is not known. What it closes is closed for the next one. */
  #seenAt(event: Event, target: Target | undefined, isOpening = false, approved = false): Known {
    const known = new Map(this.#known(target, isOpening, event))
    for (const gate of this.#field.program.gates) {
      const state = known.get(gate.id)
      if (state === undefined || (isOpening && gate === target?.gate)) continue
      const leaves = ({ from, to, clock }: Transition): boolean =>
        to !== state && from.includes(state) && (to === 'open' || clock)
      if (gate.transitions.some(step => leaves(step) && mayHappen(step, event, this.#oracle, approved)))
        known.delete(gate.id)
    }
    return known
  }

  /** What has to be open for the rule to keep silent; undefined: it may refuse all the same. */
  #silenced({ rule, gate, event, known, approved }: Objection): readonly Gate[] | undefined {
    if (!rule.events.includes(event.kind)) return []
    // whatever the states are
    if (!mayBeRefusedBy(rule, event, this.#oracle, this.#view, approved)) return []
    const isRefused = (states: Known): boolean =>
      mayBeRefusedBy(rule, event, this.#oracle.knowing(states), this.#view, approved)
    if (!isRefused(known) || isTiring(rule, gate, event, this.#oracle, approved)) return []
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
    const found = opens.map(event =>
      this.#neededFor(event, target.gate, this.#known(target, false, event), deed.call?.approved),
    )
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
}
