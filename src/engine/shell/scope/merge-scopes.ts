import type { Assignments } from '../calls/argument.ts'
import { addLooseness } from './loose-reading.ts'
import {
  historySize,
  markArray,
  markInteger,
  maybeAssignVariable,
  mergeFolders,
  stopTrackingVariables,
} from './scope.ts'
import type { ShellScope } from './shell-scope.ts'
import { noteNameValue, taintVariable } from './taint.ts'
import { isDisplayVariable } from './variable-risk.ts'

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
  addLooseness(scope, other.loose)
  if (other.untracked) stopTrackingVariables(scope)
  if (other.taints !== scope.taints) for (const name of other.taints) taintVariable(scope, name)
  if (other.names !== scope.names) for (const name of other.names) noteNameValue(scope, name)
  if (other.integers !== scope.integers) for (const name of other.integers) markInteger(scope, name)
  if (other.arrays !== scope.arrays) for (const name of other.arrays) markArray(scope, name)
}

/** For code that runs later, such as a function or a trap: any variable may by then hold any value it has anywhere in the line. */
export function assumeAnyAssignment(scope: ShellScope): void {
  const { ever } = scope
  ever.met = Math.min(ever.met, historySize(ever))
  for (const name of ever.taints) taintVariable(scope, name)
  for (const name of ever.names) noteNameValue(scope, name)
  for (const name of ever.integers) markInteger(scope, name)
}

/** True if another walk through the same code would start from the same shell state. */
export const isFixpoint = (before: ShellScope, after: ShellScope): boolean =>
  COMPARED_FLAGS.every(flag => before[flag] === after[flag]) &&
  COMPARED_SETS.every(set => before[set] === after[set] || before[set].size === after[set].size)

const COMPARED_FLAGS = ['tainted', 'exported', 'homeless', 'adrift', 'untracked', 'errexit', 'descriptors'] as const
const COMPARED_SETS = ['taints', 'names', 'integers', 'arrays', 'vars', 'varied', 'wildCwds', 'loose'] as const

/**
 * The commands on one line of a text. In bash an expansion error (`$((1/0))`, a read-only variable) aborts the rest of the line,
 * and bash continues with the next line. What the aborted line sets is therefore not certain there.
 */
export interface StatementUnit {
  from: number
  before: ShellScope
}

export const beginStatementUnit = (scope: ShellScope): StatementUnit => ({ from: 0, before: { ...scope } })

/** Text that may cause such an error: arithmetic, an index, a parameter operation, or a read-only variable. */
const MAY_FAIL =
  /\$\(\(|\$\[|\$\{\w*[^\w}]|\w\[|\b(?:readonly|declare|typeset|local|eval|E?UID|PPID|BASHOPTS|SHELLOPTS|BASH_VERSINFO)\b/

/** Called between two statements; the first ends at `end`. If a newline separates them, the next unit begins. */
export function endStatementUnit(
  unit: StatementUnit,
  text: string,
  end: number,
  next: number,
  scope: ShellScope,
): void {
  if (!hasNewline(text.slice(end, next))) return
  // a function may contain any of these
  const mayFail = scope.functions.size > 0 || MAY_FAIL.test(text.slice(unit.from, next))
  if (mayFail) mergeScopes(scope, unit.before)
  unit.from = next
  unit.before = { ...scope }
}

/** A backslash joins two lines, except in a comment, which ends with its line. */
const hasNewline = (gap: string): boolean => gap.includes('#') || gap.replaceAll('\\\n', '').includes('\n')

/** `A=b eval 'line'`: the whole evaluated line sees `A`, and so does every program in it. */
export function assignForScript(scope: ShellScope, assigns: Assignments | undefined): void {
  for (const name in assigns) {
    maybeAssignVariable(scope, name, assigns[name] ?? null)
    scope.exported ||= !isDisplayVariable(name)
  }
}
