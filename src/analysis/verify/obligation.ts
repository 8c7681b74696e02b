import type { ConeOfInfluence } from './abstraction/cone-of-influence.ts'
import type { Exploration } from './analysis-context.ts'
import type { VerificationFinding } from './report/finding.ts'
import type { StateNode } from './system/reachability-graph.ts'
import type { StateTransition } from './system/step.ts'

/** A property to verify on an exploration. `fails` returns a violating state, `tell` builds the finding. */
export interface Property {
  /** is it already proven without exploration, by a strategy or an earlier result? */
  isKnown?(): boolean
  /** called when the property was proven on the cone */
  holds?(cone: ConeOfInfluence): void
  fails(explored: Exploration): StateNode | undefined
  tell(moves: readonly StateTransition[], at: StateTransition['to']): VerificationFinding | undefined
}

export interface Obligation {
  readonly cone: ConeOfInfluence
  readonly claims: readonly Property[]
  /** no suggestion has to be checked: without properties, the exploration only records which rules fire */
  readonly isPlain: boolean
  /** the obligations that were merged into this one */
  readonly parts: readonly Obligation[]
}

/** Merges obligations whose gates are a subset of another obligation's gates, so that one exploration serves both. */
export function mergeObligations(tasks: readonly Obligation[]): readonly Obligation[] {
  const merged: Obligation[] = []
  for (const task of [...tasks].sort((a, b) => b.cone.gates.size - a.cone.gates.size)) {
    const at = merged.findIndex(
      ({ cone }) => cone.prompted === task.cone.prompted && [...task.cone.gates].every(gate => cone.gates.has(gate)),
    )
    const host = merged[at]
    if (!host) merged.push(task)
    else {
      const deeds = new Map([...host.cone.deeds, ...task.cone.deeds])
      const cone = { ...host.cone, deeds }
      const isPlain = host.isPlain && task.isPlain
      merged[at] = { cone, isPlain, claims: [...host.claims, ...task.claims], parts: [...host.parts, task] }
    }
  }
  return merged
}
