import type { Assignments } from '../calls/argument.ts'
import { createChildShell, noteFolderVariable } from './scope.ts'
import type { ShellScope } from './shell-scope.ts'
import { hasShellSetVariable, mayHoldIndex, noteNameValue, taintVariable } from './taint.ts'
import { highestRisk } from './variable-risk.ts'

/** The shell that a program starts for a script, with the variables that the line sets for the program. */
export function createInnerShell(scope: ShellScope, assigns: Assignments | undefined): ShellScope {
  const inside = createChildShell(scope)
  inside.tainted ||= highestRisk(assigns) !== 'plain'
  for (const [name, value] of Object.entries(assigns ?? {})) {
    noteFolderVariable(inside, name, value)
    if (mayHoldIndex(value) || hasShellSetVariable(value)) taintVariable(inside, name)
    if (/[A-Za-z_]/.test(value ?? '')) noteNameValue(inside, name)
  }
  const known = Object.entries(assigns ?? {}).filter((entry): entry is [string, string] => entry[1] !== null)
  if (known.length > 0) inside.vars = new Map(known.slice(0, 64))
  return inside
}
