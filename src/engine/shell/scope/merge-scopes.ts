import {
  type LineHistory,
  markArray,
  markInteger,
  mergeFolders,
  type ShellScope,
  stopTrackingVariables,
} from './scope.ts'
import { noteNameValue, taintVariable } from './taint.ts'

/** `scope` becomes what the shell may be after either of two ways: only what both agree on is certain. */
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

/** The same where the other way began with less known: only what it has changed counts. */
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

/** What another way may have made of the variables, and with them of every program. */
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

/** Code that runs later, as a function or a trap does: by then any variable may hold what it holds anywhere in the line. */
export function assumeAnyAssignment(scope: ShellScope): void {
  const { ever } = scope
  ever.met = Math.min(ever.met, historySize(ever))
  for (const name of ever.fog) taintVariable(scope, name)
  for (const name of ever.names) noteNameValue(scope, name)
  for (const name of ever.integers) markInteger(scope, name)
}

const historySize = ({ fog, names, integers }: LineHistory): number => fog.size + names.size + integers.size

/** Whether something was set after code was read that may run later still. */
export const hasLaterAssignments = (ever: LineHistory): boolean => ever.met < historySize(ever)

/** Whether a second turn through the same code would find the shell as the first one did. */
export const isFixpoint = (before: ShellScope, after: ShellScope): boolean =>
  COMPARED_FLAGS.every(flag => before[flag] === after[flag]) &&
  COMPARED_SETS.every(set => before[set] === after[set] || before[set].size === after[set].size)

const COMPARED_FLAGS = ['tainted', 'exported', 'homeless', 'adrift', 'untracked', 'errexit', 'descriptors'] as const
const COMPARED_SETS = ['fog', 'names', 'integers', 'arrays', 'vars', 'varied', 'wildCwds'] as const
