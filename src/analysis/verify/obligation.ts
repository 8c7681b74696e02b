import type { ConeOfInfluence } from './abstraction/cone-of-influence.ts'
import type { Exploration } from './analysis-context.ts'
import type { VerificationFinding } from './report/finding.ts'
import type { StateNode } from './system/reachability-graph.ts'
import type { StateTransition } from './system/step.ts'

/** A property to verify on an exploration. `findViolation` returns a violating state, `report` builds the finding. */
export interface Property {
  /** is it already proven without exploration, by a strategy or an earlier result? */
  isProven?(): boolean
  /** called when the property was proven on the cone */
  onProven?(cone: ConeOfInfluence): void
  findViolation(explored: Exploration): StateNode | undefined
  report(transitions: readonly StateTransition[], at: StateTransition['to']): VerificationFinding | undefined
}

export interface Obligation {
  readonly cone: ConeOfInfluence
  readonly properties: readonly Property[]
  /** no suggestion has to be checked: without properties, the exploration only records which rules fire */
  readonly hasSafeSuggestions: boolean
  /** the obligations that were merged into this one */
  readonly merged: readonly Obligation[]
}

/** Do the same gates wait for prompts of a person? */
export const isPromptedLike = (
  { promptedGates: one = [] }: ConeOfInfluence,
  { promptedGates: other = [] }: ConeOfInfluence,
): boolean => one.length === other.length && one.every(gate => other.includes(gate))

/** Merges obligations whose gates are a subset of another obligation's gates, so that one exploration serves both. */
export function mergeObligations(obligations: readonly Obligation[]): readonly Obligation[] {
  const merged: Obligation[] = []
  for (const obligation of [...obligations].sort((a, b) => b.cone.gates.size - a.cone.gates.size)) {
    const at = merged.findIndex(
      ({ cone }) =>
        isPromptedLike(cone, obligation.cone) && [...obligation.cone.gates].every(gate => cone.gates.has(gate)),
    )
    const host = merged[at]
    if (!host) merged.push(obligation)
    else {
      const actions = new Map([...host.cone.actions, ...obligation.cone.actions])
      const cone = { ...host.cone, actions }
      const isPlain = host.hasSafeSuggestions && obligation.hasSafeSuggestions
      merged[at] = {
        cone,
        hasSafeSuggestions: isPlain,
        properties: [...host.properties, ...obligation.properties],
        merged: [...host.merged, obligation],
      }
    }
  }
  return merged
}
