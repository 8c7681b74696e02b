import type { Json } from '../../lib/json.ts'
import { shapeErrors } from '../../lib/json-shape.ts'
import { isStaleAnswer } from '../model/agent-turns.ts'
import type { Gate, Transition } from '../model/gate.ts'
import type { EventKind } from '../model/vocabulary.ts'
import { matchPrefiltered } from './condition.ts'
import { actionsOf, type MatchContext } from './match-context.ts'

/** What an event does to one gate: a transition with the captured value, or with the reason why the capture is invalid. */
export interface ProposedTransition {
  readonly gate: Gate
  readonly transition: Transition
  readonly captured?: { readonly name: string; readonly value: Json }
  readonly problem?: string
}

/** The first matching transition. `clock`: time-based, applied before judging. `event`: tentative until the event is judged. */
export function findTransition(gate: Gate, scene: MatchContext, cause: 'clock' | 'event'): ProposedTransition | null {
  const state = scene.own?.state ?? 'open'
  for (const transition of gate.transitions) {
    if (transition.clock !== (cause === 'clock') || !transition.from.includes(state)) continue
    if (transition.to === 'open' && isStaleAnswer(gate, scene.event.began, scene.own?.closed?.turn)) continue
    if (!happens(transition, scene)) continue
    if (cause === 'event' && state === 'closed' && transition.to === 'open' && closesAgain(gate, scene)) continue
    return { gate, transition, ...capture(transition, scene) }
  }
  return null
}

/** Opening needs certainty under every reading; for closing, an unknown match under any reading is enough. */
function happens({ to, when, clock, events }: Transition, scene: MatchContext): boolean {
  if (!clock && !events.includes(scene.event.kind)) return false
  return actionsOf(scene.event).some(act => {
    const matched = matchPrefiltered(when, act, scene, to === 'open' ? 'all' : 'any')
    return matched === 'true' || (matched === 'unknown' && to === 'closed')
  })
}

/** `npm test && echo x > a` opens nothing. The end of a call is also matched as `tool.before`, because most closings use that event. */
function closesAgain(gate: Gate, scene: MatchContext): boolean {
  const { kind } = scene.event
  const phases: readonly EventKind[] = kind === 'tool.after' || kind === 'tool.failed' ? [kind, 'tool.before'] : [kind]
  const closing = gate.transitions.filter(({ from, to, clock }) => to === 'closed' && from.includes('open') && !clock)
  return phases.some(phase => {
    const asked: MatchContext = { ...scene, event: { ...scene.event, kind: phase } }
    return closing.some(transition => happens(transition, asked))
  })
}

function capture({ capture }: Transition, { facts }: MatchContext): Pick<ProposedTransition, 'captured' | 'problem'> {
  if (!capture) return {}
  const { name, schema } = capture
  const value = facts.parsed?.find(one => shapeErrors(one, schema).length === 0)
  return value === undefined
    ? { problem: shapeErrors(facts.parsed?.[0], schema).join('; ') }
    : { captured: { name, value } }
}
