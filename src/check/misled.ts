import type { Gate, Rule } from '../core/index.ts'
import type { Call } from './call.ts'
import { callDeed } from './deed.ts'
import type { Finding } from './finding.ts'
import type { Node } from './graph.ts'
import type { Inquiry } from './inquiry.ts'
import { obstacleOf, suggestOtherwise } from './mending.ts'
import type { State } from './state.ts'
import type { Step } from './step.ts'
import { placeOf } from './stuck.ts'
import { callWords } from './words.ts'
import type { Move } from './world.ts'

/** A rule fired, and what it suggests is refused in its turn. */
export interface BadAdvice {
  readonly node: Node
  readonly step: Step
  readonly gate: Gate
  readonly rule: Rule
  readonly call: Call
}

export function misled(
  inquiry: Inquiry,
  { step, gate, rule, call }: BadAdvice,
  moves: readonly Move[],
  at: State,
): Finding | undefined {
  const answer = inquiry.answer(callDeed(call, step.by, inquiry.view), at)
  const { gate: by, rule: other } = answer?.record ?? {}
  if (answer?.outcome.decision !== 'deny' || by === undefined || other === undefined) return undefined
  const place = placeOf(inquiry, by, other)
  return {
    kind: 'suggestion',
    what: `${gate.name}/${rule.id} suggests \`${callWords(call)}\`, which is refused`,
    on: inquiry.view.clients,
    gate: gate.id,
    story: [...moves, { step: { by: step.by, call, end: 'refused' }, results: [answer] }],
    why: `${by.slice(by.indexOf('/') + 1)}/${other} refuses it where it is suggested`,
    fix: suggestOtherwise(inquiry, gate, rule, obstacleOf(call, step.by, { gate: by, rule: other, at: place })),
  }
}
