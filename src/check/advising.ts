import type { Event, Gate, Result, Rule } from '../core/index.ts'
import { suggestedCalls } from './advice.ts'
import { rulesOf } from './atom.ts'
import type { CallTools } from './call.ts'
import type { Node } from './graph.ts'
import type { BadAdvice } from './misled.ts'
import { isExplained, refusalsIn } from './next-step.ts'
import type { Step } from './step.ts'
import type { Move, World } from './world.ts'

/** Tries what rules suggest, where they do, in one exploration. */
export class Advising {
  readonly bad: BadAdvice[] = []
  readonly #tools: CallTools
  /** suggestions by state, so that each is tried once */
  readonly #tried = new Set<string>()

  constructor(tools: CallTools) {
    this.#tools = tools
  }

  hear(node: Node, move: Move, world: World): void {
    const asked = askedBy(move.step, world)
    for (const [nth, result] of move.results.entries()) {
      const { event: kind } = result.record
      if (!asked || (nth > 0 && !TOLD_AT.has(kind))) continue
      // whoever spawns an agent hears of it when that has begun
      const next = move.results[nth + 1]
      const session = next?.record.event === 'agent.start' ? next.session : result.session
      this.#tryAdvice(node, move, { ...result, session }, world, { ...asked, kind })
    }
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
    for (const call of suggestedCalls(rule, gate, event, result.session, this.#tools)) {
      const state = `${world.states.of(result.session, node.state.live).key} ${refusalsIn(result, world).join()}`
      const key = `${state} ${gate.id} ${rule.id} ${step.by} ${event.kind} ${step.end} ${JSON.stringify(call.short)}`
      if (this.#tried.has(key)) continue
      this.#tried.add(key)
      const answer = world.ask(world.beginning(call, step.by), result.session)
      const isKnown = this.bad.some(one => one.rule === rule)
      if (answer.outcome.decision !== 'deny' || isKnown) continue
      const audience = { by: step.by, session: result.session, world, tools: this.#tools }
      if (!isExplained(audience, call, gate, { event, result })) this.bad.push({ node, step, gate, rule, call })
    }
  }
}

/** What is said to whoever makes a call, after it began. */
const TOLD_AT: ReadonlySet<string> = new Set(['tool.after', 'tool.failed', 'permission.request'])

/** The event to which a rule may say what to do instead: a call, or a stop. */
const askedBy = ({ call, by, event }: Step, world: World): Event | undefined =>
  call ? world.beginning(call, by) : event?.kind === 'turn.stop' || event?.kind === 'agent.stop' ? event : undefined
