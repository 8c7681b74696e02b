import type { Gate } from '../../../../engine/index.ts'
import type { ConeOfInfluence } from '../../abstraction/cone-of-influence.ts'
import type { AnalysisContext } from '../../analysis-context.ts'
import { type AgentAction, mayTriggerTransition } from '../../system/agent-action.ts'
import { promptAction } from '../../system/lifecycle-actions.ts'
import { gatesAwaitedBy } from '../unreachable-action.ts'

/**
 * The action waits for a gate that a person opens by a prompt, and for another gate that such a prompt may close, and opening the other
 * gate again may close the first. The person then opens the first gate only by its prompts. Undefined: no prompt is in the way of the
 * action.
 */
export function coneOfPromptedAction(context: AnalysisContext, action: AgentAction): ConeOfInfluence | undefined {
  const awaited = gatesAwaitedBy(context, action)
  const prompted = awaited.flatMap(gate => {
    const prompts = promptsThatOpen(context, gate)
    return prompts.length > 0 ? [{ gate, prompts }] : []
  })
  const isConflict = prompted.some(({ gate, prompts }) =>
    awaited.some(
      other =>
        other !== gate &&
        prompts.some(prompt => mayMove(context, other, prompt, 'closed')) &&
        mayCloseWhileOpening(context, gate, other),
    ),
  )
  if (!isConflict) return undefined
  const cone = context.dependencies.cone(awaited, [action, ...prompted.flatMap(({ prompts }) => prompts)])
  return { ...cone, promptedGates: prompted.map(({ gate }) => gate) }
}

/** May `gate` close while an agent opens `other`, or a gate that `other` waits for? */
function mayCloseWhileOpening(context: AnalysisContext, gate: Gate, other: Gate): boolean {
  if (gate.transitions.some(({ to, clock }) => to === 'closed' && clock)) return true
  const waiting = new Set([other])
  // the loop also visits what is added meanwhile
  for (const next of waiting)
    for (const opener of context.dependencies.movers(next, 'open')) {
      if (mayMove(context, gate, opener, 'closed')) return true
      for (const awaited of gatesAwaitedBy(context, opener)) waiting.add(awaited)
    }
  return false
}

/** Empty if anything but a prompt opens the gate, or a person can bypass it by a variable. */
function promptsThatOpen(context: AnalysisContext, gate: Gate): readonly AgentAction[] {
  const opening = gate.transitions.filter(({ to }) => to === 'open')
  const isByPrompt = opening.every(({ clock, events }) => !clock && events.every(kind => kind === 'prompt.submit'))
  if (gate.opens !== 'human' || (gate.yields && gate.bypass) || !isByPrompt) return []
  return context.prompts.map(promptAction).filter(prompt => mayMove(context, gate, prompt, 'open'))
}

const mayMove = (
  { mayMust }: AnalysisContext,
  { transitions }: Gate,
  { events }: AgentAction,
  to: 'open' | 'closed',
): boolean =>
  transitions.some(
    transition => transition.to === to && events.some(event => mayTriggerTransition(transition, event, mayMust)),
  )
