import type { ConeOfInfluence } from './abstraction/cone-of-influence.ts'
import type { EquivalenceClasses } from './abstraction/equivalence-classes.ts'
import { hasUnreliableEnding } from './system/action-identity.ts'
import type { ClientProfile } from './system/client-profile.ts'
import type { StepInitiator } from './system/reachability-graph.ts'
import type { SystemStep } from './system/step.ts'

/** Classifies the initiator of a step. A person opens `opens: human` gates directly or by a prompt of the cone. */
export function stepInitiatorOf(
  step: SystemStep,
  { prompted, deeds }: ConeOfInfluence,
  own: ReadonlySet<string>,
  like: EquivalenceClasses,
  view: ClientProfile,
): StepInitiator {
  if (step.opens !== undefined) return prompted?.name === step.opens ? 'never' : 'asked'
  const isAsked = prompted && step.event?.prompt && step.end !== 'refused'
  if (isAsked && deeds.has(`person ${JSON.stringify(step.event?.prompt)}`)) return 'asked'
  if (step.begins) return 'begun'
  if (hasUnreliableEnding(step, view)) return 'other'
  return isOwnStep(step, own, like, view) ? 'own' : 'other'
}

/** Time passes without an agent. Any other step counts only if its action class belongs to the cone. */
function isOwnStep(step: SystemStep, own: ReadonlySet<string>, like: EquivalenceClasses, view: ClientProfile): boolean {
  if (step.by === 'time') return true
  if (step.by === 'person' || step.by === 'client' || step.late || step.end === 'begun') return false
  if (step.call) return own.has(`${like.ofAgent(step.by)} ${like.ofCall(step.call)}`)
  if (step.event?.kind === 'turn.stop') return own.has('the turn ends')
  return step.untold ? !view.has('agent.stop') : own.has(`${like.ofAgent(step.by)} stops`)
}
