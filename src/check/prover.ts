import type { Gate } from '../core/index.ts'
import { Advising } from './advising.ts'
import { isAnything } from './at-once.ts'
import { atomsOfGate, isAboutState, lookedAt, rulesOf } from './atom.ts'
import { unrunnable } from './bare-script.ts'
import { barred, findBarred, guardedBy, waitedFor } from './barred.ts'
import { type Cone, TURN_END } from './cone.ts'
import type { Deed } from './deed.ts'
import { unfound } from './doubt.ts'
import type { Finding } from './finding.ts'
import type { Node } from './graph.ts'
import { helpless } from './helpless.ts'
import type { Inquiry } from './inquiry.ts'
import { leftOut } from './left-out.ts'
import { misled } from './misled.ts'
import { askingOf, openingOf } from './opening.ts'
import { unpermitted } from './permission.ts'
import { unrepairable } from './repair.ts'
import { advisedBy, isSafe } from './safe-advice.ts'
import type { Spoken } from './spoken.ts'
import type { Step } from './step.ts'
import { findHeldAgent, findHeldTurn, held } from './stuck.ts'
import { type Claim, mergeTasks, type Task } from './task.ts'
import { unanswerable } from './unsaid.ts'
import { vain } from './vain.ts'
import { Ways } from './way.ts'
import type { Move } from './world.ts'

/** States in which it is listened to many gates at once. */
const MOST_HEARD = 200

/** All questions about one kind of client. */
export class Prover {
  readonly inquiry: Inquiry
  readonly findings: Finding[] = []
  readonly notes: string[] = []
  cutAt: number | undefined
  readonly #gates: readonly Gate[]
  readonly #spoken: Spoken
  readonly #ways: Ways

  constructor(inquiry: Inquiry, gates: readonly Gate[], spoken: Spoken) {
    this.inquiry = inquiry
    this.#gates = gates
    this.#spoken = spoken
    this.#ways = new Ways(inquiry)
  }

  run(): void {
    const tasks = this.#tasks()
    const isOpen = ({ claims, isPlain }: Task): boolean => claims.length > 0 || !isPlain
    const unseen = this.#lookAtAll(tasks.filter(isOpen))
    this.#lookForBarred()
    // who speaks at all was heard where the main agent is of no type
    if (this.inquiry.view.mainType !== undefined) return
    for (const { cone } of mergeTasks([...tasks.filter(task => !isOpen(task)), ...unseen])) this.#listen(cone)
    // who is stuck is told so first
    if (!this.findings.some(one => one.kind === 'held' || one.kind === 'deadlock'))
      this.findings.push(...helpless(this.inquiry))
    for (const gate of this.#gates) {
      this.findings.push(...unanswerable(this.inquiry, gate))
      this.notes.push(...unrepairable(this.inquiry, gate))
    }
    const stuck = new Set(this.findings.map(one => one.gate))
    for (const gate of this.#gates)
      if (!stuck.has(gate.id))
        this.findings.push(
          ...unpermitted(this.inquiry, gate),
          ...vain(this.inquiry, gate),
          ...unrunnable(this.inquiry, gate),
        )
    this.inquiry.listen(
      this.#gates.filter(
        gate => !isStateful(gate) && rulesOf(gate).some(rule => !this.#spoken.isHeard(gate.id, rule.id)),
      ),
      result => this.#spoken.hear(result),
    )
  }

  /** Few gates first: what was seen of them may be all it takes for the others, which are then not looked at. */
  #lookAtAll(tasks: readonly Task[]): readonly Task[] {
    const unseen: Task[] = []
    const left = [...tasks].sort((a, b) => a.cone.gates.size - b.cone.gates.size)
    for (let next = left.shift(); next; next = left.shift()) {
      const { gates } = next.cone
      const isAlike = ({ cone }: Task): boolean =>
        cone.prompted === next.cone.prompted &&
        cone.gates.size === gates.size &&
        [...gates].every(one => cone.gates.has(one))
      const together = [next, ...left.filter(isAlike)]
      for (const one of together.slice(1)) left.splice(left.indexOf(one), 1)
      const open = together.flatMap(task => {
        const claims = task.claims.filter(claim => !claim.isKnown?.())
        if (claims.length > 0 || !task.isPlain) return [{ ...task, claims }]
        unseen.push(task)
        return []
      })
      for (const task of mergeTasks(open)) this.#look(task)
    }
    return unseen
  }

  #tasks(): readonly Task[] {
    const { field, view } = this.inquiry
    const asked = this.#gates.filter(gate => isStateful(gate) || suggests(gate))
    const gates = asked.map(gate => ({
      ...{ claims: openingOf(this.inquiry, this.#ways, gate), parts: [] },
      ...(isSafe(this.inquiry, gate)
        ? { cone: field.cone([gate], []), isPlain: true }
        : { cone: field.cone([gate], advisedBy(this.inquiry, gate)), isPlain: false }),
    }))
    const stops = field.deeds.filter(deed => deed.events[0]?.kind === 'agent.stop')
    const isHeld = (deed: Deed): boolean => field.refusers(deed).length > 0
    const ends = (deed: Deed): boolean => this.#ways.ends(deed)
    const turn: Claim = {
      isKnown: () => ends(TURN_END),
      fails: findHeldTurn,
      tell: (moves, at) => held(this.inquiry, TURN_END, moves, at),
    }
    return [
      ...gates,
      ...this.#gates.flatMap(gate => askingOf(this.inquiry, gate)),
      ...(view.has('turn.stop') && isHeld(TURN_END)
        ? [{ cone: field.cone([], [TURN_END]), claims: this.#unless(ends(TURN_END), turn), isPlain: true, parts: [] }]
        : []),
      ...(stops.some(isHeld)
        ? [
            {
              ...{ cone: field.cone([], stops), isPlain: true, parts: [] },
              claims: this.#unless(stops.every(ends), this.#ends(stops)),
            },
          ]
        : []),
    ]
  }

  /** Can all that closed gates refuse be done some time? Where one of them is stuck, that has been told. */
  #lookForBarred(): void {
    const stuck = new Set(this.findings.map(one => one.gate))
    const isTold = (deed: Deed): boolean => waitedFor(this.inquiry, deed).some(gate => stuck.has(gate.id))
    const works = guardedBy(this.inquiry).filter(deed => !isTold(deed) && !this.#ways.permits(deed))
    const tasks = works.map(deed => ({
      ...{ cone: this.inquiry.field.cone([], [deed]), isPlain: true, parts: [] },
      claims: [this.#comesToPass(deed)],
    }))
    this.#lookAtAll(tasks)
  }

  #comesToPass(deed: Deed): Claim {
    return {
      isKnown: () => this.#ways.permits(deed),
      fails: explored => findBarred(this.inquiry, explored, deed),
      tell: (moves, at) => {
        const found = barred(this.inquiry, deed, moves, at)
        // of one gate, one story is enough
        return this.findings.some(one => one.gate === found?.gate && one.kind === 'deadlock') ? undefined : found
      },
    }
  }

  /** What holds in every state need not be looked for in those that can be reached. */
  #unless(holds: boolean, claim: Claim): readonly Claim[] {
    return holds ? [] : [claim]
  }

  /** Who speaks there? Until all have been heard; where these are too many states, gate by gate. */
  #listen(cone: Cone): void {
    const heard = (_: Node, move: Move): void => {
      for (const result of move.results) this.#spoken.hear(result)
    }
    const gates = [...cone.gates]
    const isDone = (): boolean =>
      gates.every(gate => rulesOf(gate).every(rule => this.#spoken.isTold(gate.id, rule.id)))
    // then the state it is in at first is all that it takes
    if (isDone()) {
      this.inquiry.glance()
      return
    }
    const { graph } = this.inquiry.explore(cone, heard, { states: MOST_HEARD, isDone })
    if (graph.cutAt === undefined || isDone()) return
    for (const gate of gates) {
      const alone = { gates: new Set([gate, ...lookedAt(gate, this.inquiry.program)]), deeds: new Map() }
      const { graph: small } = this.inquiry.explore(alone, heard, {})
      if (small.cutAt !== undefined) this.cutAt = Math.min(this.cutAt ?? Infinity, small.cutAt)
    }
  }

  #ends(stops: readonly Deed[]): Claim {
    return {
      isKnown: () => stops.every(deed => this.#ways.ends(deed)),
      fails: findHeldAgent,
      tell: (moves, at) => held(this.inquiry, stops.find(deed => deed.by === at.live?.type) ?? TURN_END, moves, at),
    }
  }

  /**
   * Explores, and where a claim fails goes the way once more with every gate; one that was left out and has a say is taken
   * in.
   */
  #look({ cone: first, claims }: Task): void {
    let cone = first
    const before = this.findings.length
    for (let round = 0; round <= this.inquiry.program.gates.length; round++) {
      const advising = new Advising(this.inquiry.tools)
      const explored = this.inquiry.explore(cone, (node, move, world) => {
        for (const result of move.results) this.#spoken.hear(result)
        advising.hear(node, move, world)
      })
      if (explored.graph.cutAt !== undefined) this.cutAt = Math.min(this.cutAt ?? Infinity, explored.graph.cutAt)
      const failed = claims.flatMap(claim => {
        const node = claim.fails(explored)
        return node ? [{ steps: explored.graph.wayTo(node), tell: claim.tell }] : []
      })
      const advice = advising.bad.map(one => ({
        steps: [...explored.graph.wayTo(one.node), one.step],
        tell: (moves: readonly Move[], at: Move['to']) => misled(this.inquiry, one, moves, at),
      }))
      const more = [...failed, ...advice].flatMap(({ steps, tell }) => this.#settle(steps, tell))
      const grown = more.filter(gate => !cone.gates.has(gate))
      if (grown.length === 0) {
        if (claims.length > 0 && failed.length === 0) this.findings.push(...unfound(this.inquiry, cone.gates))
        const isWhole = explored.graph.cutAt === undefined
        const isSeen =
          isWhole && this.#lookAtOnce(cone, failed.length > 0 ? claims.filter(one => !one.fails(explored)) : claims)
        // nothing was found against any of them; what was not tried has been told, once for all that rests on it
        if (isSeen && this.findings.slice(before).every(isUntried)) for (const claim of claims) claim.holds?.(cone)
        return
      }
      cone = { ...cone, ...this.inquiry.field.cone([...cone.gates, ...grown], [...cone.deeds.values()]) }
    }
  }

  /** The same for what holds as long as one thing comes after the other: lines that do several, calls at once, another session. */
  #lookAtOnce(first: Cone, claims: readonly Claim[]): boolean {
    let cone = first
    for (let round = 0; claims.length > 0 && round <= this.inquiry.program.gates.length; round++) {
      const together = this.inquiry.atOnce(cone.gates)
      if (!isAnything(together)) return true
      const explored = this.inquiry.explore(cone, () => undefined, {}, together)
      const { cutAt } = explored.graph
      if (cutAt !== undefined) this.cutAt = Math.min(this.cutAt ?? Infinity, cutAt)
      const failed = claims.flatMap(claim => {
        const node = claim.fails(explored)
        return node ? [{ steps: explored.graph.wayTo(node), tell: claim.tell }] : []
      })
      const more = failed.flatMap(({ steps, tell }) =>
        this.#settle(steps, (moves, at) => {
          const one = tell(moves, at)
          return one && { ...one, atOnce: true }
        }),
      )
      const grown = more.filter(gate => !cone.gates.has(gate))
      if (grown.length === 0) {
        if (failed.length === 0) this.findings.push(...leftOut(this.inquiry, [...cone.gates], together))
        return cutAt === undefined
      }
      cone = { ...cone, ...this.inquiry.field.cone([...cone.gates, ...grown], [...cone.deeds.values()]) }
    }
    return true
  }

  /** A finding, if the way holds with every gate; else the gates that were missing. */
  #settle(
    steps: readonly Step[],
    tell: (moves: readonly Move[], at: Move['to']) => Finding | undefined,
  ): readonly Gate[] {
    const { moves, at, lost, held: holds } = this.inquiry.confirm(steps)
    if (!holds) return lost ? [lost] : this.inquiry.program.gates.filter(gate => gate.initial !== undefined)
    const found = tell(moves, at)
    if (found) this.findings.push(found)
    return []
  }
}

/** Nothing happened: something that may have was left out. */
const isUntried = ({ doubt, story }: Finding): boolean => doubt !== undefined && story.length === 0

const isStateful = (gate: Gate): boolean => gate.initial !== undefined || atomsOfGate(gate).some(isAboutState)

const suggests = (gate: Gate): boolean => rulesOf(gate).some(rule => rule.suggest !== undefined)
