import type { Program } from '../../engine/index.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { EquivalenceClassCache } from './abstraction/equivalence-classes.ts'
import type { Environment } from './abstraction/input-partitioning/environment-partition.ts'
import type { PolicyConstants } from './abstraction/input-partitioning/policy-constants.ts'
import type { MayMustEvaluator } from './abstraction/may-must-evaluator.ts'
import type { CallParser, SampleCall } from './abstraction/residual-condition.ts'
import type { ExplorationBounds } from './system/reachability-graph.ts'

/** The inputs that all analyses of one policy share. */
export interface AnalysisInputs {
  readonly program: Program
  readonly constants: PolicyConstants
  readonly calls: readonly SampleCall[]
  readonly parser: CallParser
  readonly root: string
  readonly env: Environment
  readonly bounds: ExplorationBounds
  readonly mayMust: MayMustEvaluator
  readonly classes: EquivalenceClassCache
  /** called again and again while states are explored, with their number so far */
  progress?(states: number): void
  writtenUnless(at: string, rule: string): JsonObject | null | undefined
}
