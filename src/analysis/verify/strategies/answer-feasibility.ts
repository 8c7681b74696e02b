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

  constructor(parts: AnswerFeasibilityOptions) {
    this.#options = parts
    this.#captures = parts.dependencies.program.gates.flatMap(gate =>
      gate.transitions.filter(one => one.capture).map(step => ({ gate, step })),
    )
  }

  /** Looks for one answer valid at all of these events: an agent's stop and the end of its call carry the same one. `gate` is the goal. */
  isPossible(events: readonly Event[], gate?: Gate, approved = false): boolean {
    const { mayMust, answers } = this.#options
    const heard = events.flatMap(event =>
      this.#captures.flatMap(({ gate: by, step }) =>
        (by === gate && mayTriggerTransition(step, event, mayMust, approved)) || mayRejectCapture(step, event, mayMust)
          ? [{ event, step }]
          : [],
      ),
    )
    if (heard.length === 0) return true
    const fits = (answer: Json): boolean =>
      heard.every(({ step: { capture } }) => !capture || shapeErrors(answer, capture.schema).length === 0)
    return heard.every(one => hasAnswer(one.event)) && answers.some(fits)
  }
}

/** Does an event of this kind carry an answer? */
const hasAnswer = ({ kind }: Event): boolean => kind === 'agent.stop' || kind === 'tool.after' || kind === 'tool.failed'
