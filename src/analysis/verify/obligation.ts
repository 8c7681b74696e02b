import type { ConeOfInfluence } from './abstraction/cone-of-influence.ts'
import type { Exploration } from './analysis-context.ts'
import type { VerificationFinding } from './report/finding.ts'
import type { StateNode } from './system/reachability-graph.ts'
import type { StateTransition } from './system/transition-system.ts'

/** Something to be shown of an exploration: where it fails, and the words for it. */
export interface Property {
  /** has it been shown without looking, by what is known by now? */
  isKnown?(): boolean
  /** told where it was seen to hold, among these gates */
  holds?(cone: ConeOfInfluence): void
  fails(explored: Exploration): StateNode | undefined
  tell(moves: readonly StateTransition[], at: StateTransition['to']): VerificationFinding | undefined
}

export interface Obligation {
  readonly cone: ConeOfInfluence
  readonly claims: readonly Property[]
  /** nothing it says can lead astray, so that without a claim there is only to be heard who speaks */
  readonly isPlain: boolean
  /** what it was merged from */
  readonly parts: readonly Obligation[]
}

/** What is about some of the gates that are looked at anyway is looked at together with them. */
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
