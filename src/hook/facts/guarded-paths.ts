import type { Condition, Gate } from '../../engine/index.ts'

/** The rules in force, with the paths that they name. */
export interface GuardedPaths {
  readonly gates: readonly Pick<Gate, 'rules'>[]
}

/** Weakest layer first: built-in paths, which apply everywhere, come before a project's paths, which may be thousands. */
export const guardedGlobs = ({ gates }: GuardedPaths): readonly string[] =>
  gates.toReversed().flatMap(gate => gate.rules.flatMap(rule => pathsIn(rule.when)))

function pathsIn(condition: Condition): readonly string[] {
  if ('all' in condition) return condition.all.flatMap(pathsIn)
  if ('any' in condition) return condition.any.flatMap(pathsIn)
  if ('not' in condition) return []
  if ('with' in condition) return pathsIn(condition.with)
  return condition.key === 'path' ? condition.in.map(({ glob }) => glob) : []
}
