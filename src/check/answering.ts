import type { Event, Gate, Transition } from '../core/index.ts'
import { type Json, problemsWith } from '../pattern/index.ts'
import { mayHappen, mayObject } from './deed.ts'
import type { Oracle } from './possible.ts'

interface AnsweringParts {
  readonly field: { readonly program: { readonly gates: readonly Gate[] } }
  readonly oracle: Oracle
  readonly answers: readonly Json[]
}

/** What agents answer and commands print, where it is captured: is there an answer that nobody has anything against? */
export class Answering {
  readonly #parts: AnsweringParts
  readonly #captures: readonly { readonly gate: Gate; readonly step: Transition }[]

  constructor(parts: AnsweringParts) {
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
        (by === gate && mayHappen(step, event, oracle, approved)) || mayObject(step, event, oracle)
          ? [{ event, step }]
          : [],
      ),
    )
    if (heard.length === 0) return true
    const fits = (answer: Json): boolean =>
      heard.every(({ step: { capture } }) => !capture || problemsWith(answer, capture.schema).length === 0)
    return heard.every(one => isAnswer(one.event)) && answers.some(fits)
  }
}

/** Something was said by then, and is told. */
const isAnswer = ({ kind }: Event): boolean => kind === 'agent.stop' || kind === 'tool.after' || kind === 'tool.failed'
