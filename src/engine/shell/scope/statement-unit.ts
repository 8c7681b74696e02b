import { mergeScopes } from './merge-scopes.ts'
import type { ShellScope } from './scope.ts'

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
  if (!text.slice(end, next).includes('\n')) return
  // a function may contain any of these
  const mayFail = scope.functions.size > 0 || MAY_FAIL.test(text.slice(unit.from, next))
  if (mayFail) mergeScopes(scope, unit.before)
  unit.from = next
  unit.before = { ...scope }
}
