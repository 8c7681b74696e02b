import { mergeScopes } from './merge-scopes.ts'
import type { ShellScope } from './scope.ts'

/**
 * The commands of one line of a text. To bash an error in an expansion (`$((1/0))`, a variable that is read-only) ends these, and it
 * goes on with the next line: what they set is not certain there.
 */
export interface StatementUnit {
  from: number
  before: ShellScope
}

export const beginStatementUnit = (scope: ShellScope): StatementUnit => ({ from: 0, before: { ...scope } })

/** A sum, an index, an operation on a parameter; or a variable that is not to be set, as the shell has some. */
const MAY_FAIL =
  /\$\(\(|\$\[|\$\{\w*[^\w}]|\w\[|\b(?:readonly|declare|typeset|local|eval|E?UID|PPID|BASHOPTS|SHELLOPTS|BASH_VERSINFO)\b/

/** Between two statements, the first of which ends at `end`: where a line ends there too, the next unit begins. */
export function endStatementUnit(
  unit: StatementUnit,
  text: string,
  end: number,
  next: number,
  scope: ShellScope,
): void {
  if (!text.slice(end, next).includes('\n')) return
  // a function may do any of these
  const mayFail = scope.functions.size > 0 || MAY_FAIL.test(text.slice(unit.from, next))
  if (mayFail) mergeScopes(scope, unit.before)
  unit.from = next
  unit.before = { ...scope }
}
