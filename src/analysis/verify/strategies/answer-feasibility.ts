import type { Event, Gate, Transition } from '../../../engine/index.ts'
import type { Json } from '../../../lib/json.ts'
import { shapeErrors } from '../../../lib/json-shape.ts'
import type { MayMustEvaluator } from '../abstraction/may-must-evaluator.ts'
import { mayRejectCapture, mayTriggerTransition } from '../system/agent-action.ts'

interface AnswerFeasibilityOptions {
  readonly dependencies: { readonly program: { readonly gates: readonly Gate[] } }
  readonly mayMust: MayMustEvaluator
  readonly answers: readonly Json[]
}

/** Is there an answer (or command output) that satisfies the schemas of all captures that see it? */
export class AnswerFeasibility {
  readonly #options: AnswerFeasibilityOptions
  readonly #captures: readonly { readonly gate: Gate; readonly step: Transition }[]

  constructor(options: AnswerFeasibilityOptions) {
    this.#options = options
    this.#captures = options.dependencies.program.gates.flatMap(gate =>
      gate.transitions.filter(transition => transition.capture).map(transition => ({ gate, step: transition })),
    )
  }

  /** Looks for one answer valid at all of these events: an agent's stop and the end of its call carry the same one. `gate` is the goal. */
  isPossible(events: readonly Event[], gate?: Gate, approved = false): boolean {
    const { mayMust, answers } = this.#options
    const captures = events.flatMap(event =>
      this.#captures.flatMap(({ gate: by, step: transition }) =>
        (by === gate && mayTriggerTransition(transition, event, mayMust, approved)) ||
        mayRejectCapture(transition, event, mayMust)
          ? [{ event, step: transition }]
          : [],
      ),
    )
    if (captures.length === 0) return true
    const fits = (answer: Json): boolean =>
      captures.every(({ step: { capture } }) => !capture || shapeErrors(answer, capture.schema).length === 0)
    return captures.every(capture => hasAnswer(capture.event)) && answers.some(fits)
  }
}

/** Does an event of this kind carry an answer? */
const hasAnswer = ({ kind }: Event): boolean => kind === 'agent.stop' || kind === 'tool.after' || kind === 'tool.failed'
