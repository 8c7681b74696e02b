import type { ProgramCall } from '../../calls/program-call.ts'
import { joinFolders } from '../../scope/path-resolution.ts'
import { lookupVariable, type ShellScope } from '../../scope/scope.ts'

/** `git -C dir`, `--work-tree` and GIT_WORK_TREE change the folder for all paths of the command. */
export function scopeInFolder(call: ProgramCall): ShellScope {
  const options = call.line.options.filter(({ name }) => name === '-C' || name === '--work-tree')
  const moves = [...options.map(({ value }) => value?.text ?? null), ...worktreeOf(call)]
  if (moves.length === 0) return call.scope
  const { wildCwds } = call.scope
  const isWild = options.some(({ value }) => value?.glob === true)
  const moved = call.scope.cwds.map(cwd => ({
    to: joinFolders(cwd, moves),
    wild: isWild || (cwd !== null && wildCwds.has(cwd)),
  }))
  const wild = moved.flatMap(({ to, wild }) => (wild && to !== null ? [to] : []))
  return { ...call.scope, cwds: moved.map(({ to }) => to), wildCwds: new Set([...wildCwds, ...wild]) }
}

/** The folder in `GIT_WORK_TREE=dir`, set in front of the command or earlier in the line; an empty list if it is not set. */
export function worktreeOf({ assigns, scope }: ProgramCall): readonly (string | null)[] {
  if (assigns !== undefined && Object.hasOwn(assigns, 'GIT_WORK_TREE')) return [assigns.GIT_WORK_TREE ?? null]
  const value = lookupVariable(scope, 'GIT_WORK_TREE')
  return value === null ? [] : [value]
}
