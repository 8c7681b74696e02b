import type { Event, Gate, Transition } from '../../../engine/index.ts'
import type { Json } from '../../../lib/json.ts'
import { shapeErrors } from '../../../lib/json-shape.ts'
import type { MayMustEvaluator } from '../abstraction/may-must-evaluator.ts'
import { mayRejectCapture, mayTriggerTransition } from '../system/agent-action.ts'

interface AnswerFeasibilityOptions {
  readonly field: { readonly program: { readonly gates: readonly Gate[] } }
  readonly oracle: MayMustEvaluator
  readonly answers: readonly Json[]
}

/** What agents answer and commands print, where it is captured: is there an answer that nobody has anything against? */
export class AnswerFeasibility {
  readonly #parts: AnswerFeasibilityOptions
  readonly #captures: readonly { readonly gate: Gate; readonly step: Transition }[]

  constructor(parts: AnswerFeasibilityOptions) {
    this.#parts = parts
    this.#captures = parts.field.program.gates.flatMap(gate =>
      gate.transitions.filter(one => one.capture).map(step => ({ gate, step })),
    )
  }

  /** One answer for all of these events: it is told at the stop of an agent and at the end of its call. The gate is opened by it. */
  isPossible(events: readonly Event[], gate?: Gate, approved = false): boolean {
    const { oracle, answers } = this.#parts
    const heard = events.flatMap(event =>
      this.#captures.flatMap(({ gate: by, step }) =>
        (by === gate && mayTriggerTransition(step, event, oracle, approved)) || mayRejectCapture(step, event, oracle)
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

/** Something was said by then, and is told. */
const hasAnswer = ({ kind }: Event): boolean => kind === 'agent.stop' || kind === 'tool.after' || kind === 'tool.failed'
