import {
  type LineHistory,
  markArray,
  markInteger,
  mergeFolders,
  type ShellScope,
  stopTrackingVariables,
} from './scope.ts'
import { noteNameValue, taintVariable } from './taint.ts'

/** Merges the shell states of two alternative paths into `scope`. Only facts that hold on both paths stay certain. */
export function mergeScopes(scope: ShellScope, other: ShellScope): void {
  mergeVariables(scope, other)
  scope.voided ||= other.voided
  scope.untracked ||= other.untracked
  scope.errexit &&= other.errexit
  scope.pipefail &&= other.pipefail
  scope.cwds = mergeFolders(scope.cwds, other.cwds)
  if (other.wildCwds.size > 0) scope.wildCwds = new Set([...scope.wildCwds, ...other.wildCwds])
  if (other.varied.size > 0) scope.varied = new Set([...scope.varied, ...other.varied])
  if (other.vars !== scope.vars)
    scope.vars = new Map([...scope.vars].filter(([name, value]) => other.vars.get(name) === value))
}

/** The same, if the other path began with less knowledge: only what it changed between `before` and `after` counts. */
export function mergeBranchScope(scope: ShellScope, before: ShellScope, after: ShellScope): void {
  mergeVariables(scope, after)
  scope.voided ||= after.voided
  scope.untracked ||= after.untracked
  if (after.cwds !== before.cwds) scope.cwds = mergeFolders(scope.cwds, after.cwds)
  if (after.wildCwds !== before.wildCwds) scope.wildCwds = new Set([...scope.wildCwds, ...after.wildCwds])
  if (after.vars !== before.vars)
    scope.vars = new Map(
      [...scope.vars].filter(([name, value]) => {
        const other = after.vars.get(name)
        return other === before.vars.get(name) || other === value
      }),
    )
}

/** Merges the flags and variable marks that another path may have set. */
export function mergeVariables(scope: ShellScope, other: ShellScope): void {
  scope.tainted ||= other.tainted
  scope.exported ||= other.exported
  scope.homeless ||= other.homeless
  scope.adrift ||= other.adrift
  if (other.untracked) stopTrackingVariables(scope)
  if (other.fog !== scope.fog) for (const name of other.fog) taintVariable(scope, name)
  if (other.names !== scope.names) for (const name of other.names) noteNameValue(scope, name)
  if (other.integers !== scope.integers) for (const name of other.integers) markInteger(scope, name)
  if (other.arrays !== scope.arrays) for (const name of other.arrays) markArray(scope, name)
}

/** For code that runs later, such as a function or a trap: any variable may by then hold any value it has anywhere in the line. */
export function assumeAnyAssignment(scope: ShellScope): void {
  const { ever } = scope
  ever.met = Math.min(ever.met, historySize(ever))
  for (const name of ever.fog) taintVariable(scope, name)
  for (const name of ever.names) noteNameValue(scope, name)
  for (const name of ever.integers) markInteger(scope, name)
}

const historySize = ({ fog, names, integers }: LineHistory): number => fog.size + names.size + integers.size

/** True if a variable was marked after later-running code was read, so that code must be read again. */
export const hasLaterAssignments = (ever: LineHistory): boolean => ever.met < historySize(ever)

/** True if another walk through the same code would start from the same shell state. */
export const isFixpoint = (before: ShellScope, after: ShellScope): boolean =>
  COMPARED_FLAGS.every(flag => before[flag] === after[flag]) &&
  COMPARED_SETS.every(set => before[set] === after[set] || before[set].size === after[set].size)

const COMPARED_FLAGS = ['tainted', 'exported', 'homeless', 'adrift', 'untracked', 'errexit', 'descriptors'] as const
const COMPARED_SETS = ['fog', 'names', 'integers', 'arrays', 'vars', 'varied', 'wildCwds'] as const
