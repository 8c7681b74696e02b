import { isFactField } from '../../engine/index.ts'
import { isActionNeverPermitted } from './abstraction/blocking-rules.ts'
import { describeEnvironment } from './abstraction/input-partitioning/environment-partition.ts'
import type { AnalysisContext } from './analysis-context.ts'
import { findGuardedActions, gatesAwaitedBy } from './properties/unreachable-action.ts'
import type { VerificationFinding } from './report/finding.ts'
import type { AgentAction } from './system/agent-action.ts'
import type { Verifier } from './verifier.ts'

/** No environment variable is set, and the main agent has no type. */
export const isDefaultSetup = ({ context }: Verifier): boolean =>
  context.profile.mainType === undefined && Object.keys(context.env).length === 0

/**
 * Findings of the default setup. What holds on one branch, for one agent or at one time only is not certain: the branch is switched and
 * time passes without a gate.
 */
export function findingsByDefault({ findings }: Verifier, all: readonly Verifier[]): readonly VerificationFinding[] {
  const ofFacts = all.filter(({ context }) => {
    const names = Object.keys(context.env)
    return names.length > 0 && names.every(isFactField)
  })
  return findings.map(finding => {
    const other = ofFacts.find(verifier => !verifier.findings.some(one => keyOf(one) === keyOf(finding)))
    if (!other) return finding
    const reason = `not where ${describeEnvironment(other.context.env)}`
    return { ...finding, inconclusiveReason: finding.inconclusiveReason ?? reason }
  })
}

const keyOf = ({ kind, gate, what }: VerificationFinding): string => `${kind} ${gate ?? what}`

/** Findings that occur only if the main agent is started as an agent type, or if environment variables are set. */
export function findingsOnlyInSetup(
  { context, findings }: Verifier,
  all: readonly Verifier[],
): readonly VerificationFinding[] {
  const known = new Set(all.filter(isDefaultSetup).flatMap(verifier => verifier.findings.map(keyOf)))
  const { mainType } = context.profile
  const isSet = Object.keys(context.env).length > 0
  const setup = [
    ...(mainType === undefined ? [] : [`the main agent runs as ${mainType}`]),
    ...(isSet ? [describeEnvironment(context.env)] : []),
  ].join(' and ')
  const isMaybeIntended = (finding: VerificationFinding): boolean =>
    isSet || (finding.kind === 'deadlock' && mainType !== undefined)
  return findings
    .filter(finding => !known.has(keyOf(finding)) && !isHarmlessOnMainType(finding, context))
    .map(finding => ({
      ...finding,
      what: `${finding.what}, where ${setup}`,
      // setting the variable or the main agent's type may be intended to block; but a turn must always be able to end
      ...(isMaybeIntended(finding) && {
        inconclusiveReason: finding.inconclusiveReason ?? `only where ${setup}`,
      }),
    }))
}

/** A main agent of this type is never allowed any of the actions that the gate guards, so it does not wait for the gate. */
function isHarmlessOnMainType({ kind, gate: id }: VerificationFinding, context: AnalysisContext): boolean {
  const { profile, program, mayMust } = context
  if (profile.mainType === undefined || kind !== 'deadlock' || id === undefined) return false
  const isNever = (action: AgentAction): boolean => isActionNeverPermitted(action, program, { mayMust, profile })
  const canExist = ({ actor }: AgentAction): boolean =>
    actor === 'main' ||
    context.dependencies.actions.some(action => action.actor === 'main' && action.spawns === actor && !isNever(action))
  const guarded = findGuardedActions(context).filter(action =>
    gatesAwaitedBy(context, action).some(gate => gate.id === id),
  )
  return guarded.filter(canExist).every(isNever)
}
