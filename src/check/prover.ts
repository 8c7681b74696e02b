import { type Event, type Gate, newSession, type Result, type Rule } from '../core/index.ts'
import { suggestedCalls } from './advice.ts'
import { isAnything } from './at-once.ts'
import { atomsOfGate, isAboutState, lookedAt, rulesOf } from './atom.ts'
import { type Cone, TURN_END } from './cone.ts'
import { callDeed, type Deed, mayFire } from './deed.ts'
import { unfound } from './doubt.ts'
import type { Finding } from './finding.ts'
import type { Node } from './graph.ts'
import type { Inquiry } from './inquiry.ts'
import { leftOut } from './left-out.ts'
import { type BadAdvice, misled } from './misled.ts'
import { unpermitted } from './permission.ts'
import type { Spoken } from './spoken.ts'
import type { Step } from './step.ts'
import { deadlock, findHeldAgent, findHeldTurn, findStuck, held } from './stuck.ts'
import { type Claim, mergeTasks, type Task } from './task.ts'
import { Ways } from './way.ts'
import type { Move, World } from './world.ts'

/** States in which it is listened to many gates at once. */
const MOST_HEARD = 200

/** All questions about one kind of client. */
export class Prover {
  readonly inquiry: Inquiry
  readonly findings: Finding[] = []
  cutAt: number | undefined
  readonly #gates: readonly Gate[]
  readonly #spoken: Spoken
  readonly #ways: Ways
  /** suggestions by state, so that each is tried once */
  #tried = new Set<string>()
  #advice: BadAdvice[] = []

  constructor(inquiry: Inquiry, gates: readonly Gate[], spoken: Spoken) {
    this.inquiry = inquiry
    this.#gates = gates
    this.#spoken = spoken
    this.#ways = new Ways(inquiry)
  }

  run(): void {
    const tasks = this.#tasks()
    const isOpen = ({ claims, isPlain }: Task): boolean => claims.length > 0 || !isPlain
    for (const task of mergeTasks(tasks.filter(isOpen))) {
      const isWhole = this.#look(task)
      // with fewer gates at a time more may come to light
      if (!isWhole) for (const part of task.parts) if (part.cone.gates.size < task.cone.gates.size) this.#look(part)
    }
    for (const { cone } of mergeTasks(tasks.filter(task => !isOpen(task)))) this.#listen(cone)
    const stuck = new Set(this.findings.map(one => one.gate))
    for (const gate of this.#gates) if (!stuck.has(gate.id)) this.findings.push(...unpermitted(this.inquiry, gate))
    this.inquiry.listen(
      this.#gates.filter(
        gate => !isStateful(gate) && rulesOf(gate).some(rule => !this.#spoken.isHeard(gate.id, rule.id)),
      ),
      result => this.#spoken.hear(result),
    )
  }

  #tasks(): readonly Task[] {
    const { field, view } = this.inquiry
    const asked = this.#gates.filter(gate => isStateful(gate) || suggests(gate))
    const gates = asked.map(gate => ({
      cone: field.cone([gate], this.#advised(gate)),
      claims: this.#opens(gate),
      isPlain: this.#isSafe(gate),
      parts: [],
    }))
    const stops = field.deeds.filter(deed => deed.events[0]?.kind === 'agent.stop')
    const isHeld = (deed: Deed): boolean => field.refusers(deed).length > 0
    const ends = (deed: Deed): boolean => this.#ways.ends(deed)
    const turn: Claim = { fails: findHeldTurn, tell: (moves, at) => held(this.inquiry, TURN_END, moves, at) }
    return [
      ...gates,
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

  #opens(gate: Gate): readonly Claim[] {
    if (gate.initial === undefined || gate.opens === 'human' || this.#ways.opens(gate)) return []
    return [
      { fails: explored => findStuck(explored, gate), tell: (moves, at) => deadlock(this.inquiry, gate, moves, at) },
    ]
  }

  /** What holds in every state need not be looked for in those that can be reached. */
  #unless(holds: boolean, claim: Claim): readonly Claim[] {
    return holds ? [] : [claim]
  }

  /** Nobody refuses what it suggests, whatever the states are. */
  #isSafe(gate: Gate): boolean {
    const { field } = this.inquiry
    const texts = rulesOf(gate).map(rule => JSON.stringify(rule.suggest ?? ''))
    return (
      !texts.some(text => text.slice(1).includes('{')) &&
      this.#advised(gate).every(deed => field.refusers(deed).length === 0)
    )
  }

  /** Who speaks there? Until all have been heard; where these are too many states, gate by gate. */
  #listen(cone: Cone): void {
    const heard = (_: Node, move: Move): void => {
      for (const result of move.results) this.#spoken.hear(result)
    }
    const gates = [...cone.gates]
    const isDone = (): boolean =>
      gates.every(gate => rulesOf(gate).every(rule => this.#spoken.isTold(gate.id, rule.id)))
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
      fails: findHeldAgent,
      tell: (moves, at) => held(this.inquiry, stops.find(deed => deed.by === at.live?.type) ?? TURN_END, moves, at),
    }
  }

  /** What the gate's rules may suggest, as deeds. */
  #advised(gate: Gate): readonly Deed[] {
    const { field, oracle, view, tools } = this.inquiry
    return rulesOf(gate).flatMap(rule => {
      if (rule.suggest === undefined) return []
      if (JSON.stringify(rule.suggest).includes('{') && 'agent' in Object(rule.suggest))
        return field.deeds.filter(deed => deed.spawns)
      const firing = field.deeds.filter(({ events, call }) =>
        events.some(event => {
          const { sure, unsure } = mayFire(rule, event, oracle, call?.approved)
          return sure || unsure
        }),
      )
      const session = newSession('proof', '/', 0)
      const calls = firing.slice(0, 8).flatMap(({ by, events: [event] }) =>
        event
          ? suggestedCalls(rule, gate, { ...event, client: view.clients[0] ?? '' }, session, tools).map(call => ({
              by,
              call,
            }))
          : [],
      )
      return calls.map(({ by, call }) => callDeed(call, by, view))
    })
  }

  /**
   * Explores, and where a claim fails goes the way once more with every gate; one that was left out and has a say is taken
   * in. Was every way followed to its end?
   */
  #look({ cone: first, claims }: Task): boolean {
    let cone = first
    for (let round = 0; round <= this.inquiry.program.gates.length; round++) {
      this.#tried = new Set()
      this.#advice = []
      const explored = this.inquiry.explore(cone, (node, move, world) => this.#heard(node, move, world))
      if (explored.graph.cutAt !== undefined) this.cutAt = Math.min(this.cutAt ?? Infinity, explored.graph.cutAt)
      const failed = claims.flatMap(claim => {
        const node = claim.fails(explored)
        return node ? [{ steps: explored.graph.wayTo(node), tell: claim.tell }] : []
      })
      const advice = this.#advice.map(one => ({
        steps: [...explored.graph.wayTo(one.node), one.step],
        tell: (moves: readonly Move[], at: Move['to']) => misled(this.inquiry, one, moves, at),
      }))
      const more = [...failed, ...advice].flatMap(({ steps, tell }) => this.#settle(steps, tell))
      const grown = more.filter(gate => !cone.gates.has(gate))
      if (grown.length === 0) {
        const isWhole = explored.graph.cutAt === undefined
        if (claims.length > 0 && failed.length === 0) this.findings.push(...unfound(this.inquiry, cone.gates))
        return (
          isWhole && this.#lookAtOnce(cone, failed.length > 0 ? claims.filter(one => !one.fails(explored)) : claims)
        )
      }
      cone = this.inquiry.field.cone([...cone.gates, ...grown], [...cone.deeds.values()])
    }
    return false
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
        this.#settle(steps, (moves, at) => ({ ...tell(moves, at), atOnce: true })),
      )
      const grown = more.filter(gate => !cone.gates.has(gate))
      if (grown.length === 0) {
        if (failed.length === 0) this.findings.push(...leftOut(this.inquiry, [...cone.gates], together))
        return cutAt === undefined
      }
      cone = this.inquiry.field.cone([...cone.gates, ...grown], [...cone.deeds.values()])
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

  #heard(node: Node, move: Move, world: World): void {
    for (const result of move.results) this.#spoken.hear(result)
    const [first] = move.results
    const asked = first && askedBy(move.step, world)
    if (asked) this.#tryAdvice(node, move, first, world, asked)
  }

  #tryAdvice(node: Node, { step }: Move, result: Result, world: World, event: Event): void {
    for (const match of result.record.matches) {
      if (match.effect !== 'deny' && match.effect !== 'ask' && match.effect !== 'warn') continue
      const gate = world.program.gates.find(one => one.id === match.gate)
      const rule = gate && rulesOf(gate).find(one => one.id === match.rule)
      if (gate && rule?.suggest) this.#try(node, step, result, world, gate, rule, event)
    }
  }

  #try(node: Node, step: Step, result: Result, world: World, gate: Gate, rule: Rule, event: Event): void {
    for (const call of suggestedCalls(rule, gate, event, result.session, this.inquiry.tools)) {
      const key = `${node.state.key} ${gate.id} ${rule.id} ${step.by} ${JSON.stringify(call.short)}`
      if (this.#tried.has(key)) continue
      this.#tried.add(key)
      const answer = world.ask(world.beginning(call, step.by), result.session)
      const isKnown = this.#advice.some(one => one.rule === rule)
      if (answer.outcome.decision !== 'deny' || isKnown) continue
      const refusers = answer.record.matches.filter(one => one.effect === 'deny')
      const isTold = refusers.every(one => one.gate !== gate.id && this.#leadsOn(one.gate, step, result, world, event))
      if (!isTold) this.#advice.push({ node, step, gate, rule, call })
    }
  }

  /** The same answer came from this gate too, and what that one suggests, if it does, is let through: the agent knows what comes first. */
  #leadsOn(id: string, { by }: Step, result: Result, world: World, event: Event): boolean {
    const gate = world.program.gates.find(one => one.id === id)
    const spoke = result.record.matches.find(one => one.gate === id && one.effect === 'deny')
    const rule = gate && spoke && rulesOf(gate).find(one => one.id === spoke.rule)
    if (!rule) return false
    const calls = suggestedCalls(rule, gate, event, result.session, this.inquiry.tools)
    return calls.every(one => world.ask(world.beginning(one, by), result.session).outcome.decision !== 'deny')
  }
}

/** The event to which a rule may say what to do instead: a call, or a stop. */
const askedBy = ({ call, by, event }: Step, world: World): Event | undefined =>
  call ? world.beginning(call, by) : event?.kind === 'turn.stop' || event?.kind === 'agent.stop' ? event : undefined

const isStateful = (gate: Gate): boolean => gate.initial !== undefined || atomsOfGate(gate).some(isAboutState)

const suggests = (gate: Gate): boolean => rulesOf(gate).some(rule => rule.suggest !== undefined)
