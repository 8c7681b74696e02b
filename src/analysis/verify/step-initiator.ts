import type { ConeOfInfluence } from './abstraction/cone-of-influence.ts'
import type { EquivalenceClasses } from './abstraction/equivalence-classes.ts'
import {
  type ActionClass,
  callClass,
  hasUnreliableEnding,
  stopClass,
  TURN_END_CLASS,
} from './system/action-identity.ts'
import type { ClientProfile } from './system/client-profile.ts'
import type { StepInitiator } from './system/reachability-graph.ts'
import type { SystemStep } from './system/step.ts'

/** Classifies the initiator of a step. A person opens `opens: human` gates directly or by a prompt of the cone. */
export function stepInitiatorOf(
  step: SystemStep,
  { promptedGates, actions }: ConeOfInfluence,
  own: ReadonlySet<ActionClass>,
  classes: EquivalenceClasses,
  profile: ClientProfile,
): StepInitiator {
  if (step.openedGate !== undefined) return isPrompted(step.openedGate, promptedGates) ? 'impossible' : 'person'
  const isAsked = promptedGates && step.event?.prompt && step.ending !== 'refused'
  if (isAsked && actions.has(`person ${JSON.stringify(step.event?.prompt)}`)) return 'person'
  if (step.startsWork) return 'new-work'
  if (hasUnreliableEnding(step, profile)) return 'other'
  return isOwnStep(step, own, classes, profile) ? 'agent' : 'other'
}

const isPrompted = (name: string, promptedGates: ConeOfInfluence['promptedGates'] = []): boolean =>
  promptedGates.some(gate => gate.name === name)

/** Time passes without an agent. Any other step counts only if its action class belongs to the cone. */
function isOwnStep(
  step: SystemStep,
  own: ReadonlySet<ActionClass>,
  classes: EquivalenceClasses,
  profile: ClientProfile,
): boolean {
  if (step.actor === 'time') return true
  if (step.actor === 'person' || step.actor === 'client' || step.endsPendingCall || step.ending === 'running')
    return false
  if (step.call) return own.has(callClass(step.actor, step.call, classes))
  if (step.event?.kind === 'turn.stop') return own.has(TURN_END_CLASS)
  return step.isUnreported ? !profile.sendsEvent('agent.stop') : own.has(stopClass(step.actor, classes))
}
