import { actionsOf, type Event, type Gate } from '../../../engine/index.ts'
import type { DependencyGraph } from '../abstraction/cone-of-influence.ts'
import { type MayMustEvaluator, TRUE_BIT } from '../abstraction/may-must-evaluator.ts'
import { type AgentAction, mayGateAsk, mayTriggerTransition } from '../system/agent-action.ts'
import type { OpeningActions, StrategyOptions } from './opening-actions.ts'

/** Calls that are made only to be counted. */
export class FillerCalls {
  readonly #dependencies: DependencyGraph
  readonly #mayMust: MayMustEvaluator
  readonly #openers: OpeningActions
  readonly #canIdleByActor = new Map<string, boolean>()

  constructor({ dependencies, mayMust }: StrategyOptions, openers: OpeningActions) {
    this.#dependencies = dependencies
    this.#mayMust = mayMust
    this.#openers = openers
  }

  /** Does this actor have a call that no gate refuses and that moves no gate? Repeating it lets every operation counter run out. */
  canIdle(agent: string): boolean {
    const known = this.#canIdleByActor.get(agent)
    if (known !== undefined) return known
    const can =
      !this.#openers.isCallerAmbiguous &&
      this.#callsOf(agent).some(action => this.#dependencies.refusers(action).length === 0 && !this.#mayMove(action))
    this.#canIdleByActor.set(agent, can)
    return can
  }

  /** Calls of the main agent that the gate is certain to count; calls that no gate refuses come first. */
  countedBy(gate: Gate): readonly AgentAction[] {
    const { counts } = gate
    const isCounted = (event: Event): boolean =>
      counts === undefined
        ? event.kind === 'tool.before'
        : actionsOf(event).some(act => this.#mayMust.truthSetOf(counts, act, event, 'any') === TRUE_BIT)
    const found = this.#callsOf('main').filter(({ events }) => events.slice(0, 1).some(isCounted))
    const isFree = (action: AgentAction): boolean => this.#dependencies.refusers(action).length === 0
    return [...found.filter(isFree), ...found.filter(action => !isFree(action))].slice(0, MAX_TRIED)
  }

  /** Calls of this actor that need no approval, ask no person and spawn no agent. */
  #callsOf(agent: string): readonly AgentAction[] {
    const { gates } = this.#dependencies.program
    return this.#dependencies.actions.filter(
      ({ actor, call, spawns, events }) =>
        actor === agent &&
        call !== undefined &&
        !call.isApproved &&
        spawns === undefined &&
        !gates.some(gate => events.slice(0, 1).some(event => mayGateAsk(gate, event, this.#mayMust))),
    )
  }

  #mayMove({ events }: AgentAction): boolean {
    return this.#dependencies.program.gates.some(({ transitions }) =>
      transitions.some(transition => events.some(event => mayTriggerTransition(transition, event, this.#mayMust))),
    )
  }
}

const MAX_TRIED = 8
