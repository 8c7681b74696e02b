import { join } from 'node:path'
import { matchPathRef, parsePath } from '../../../engine/index.ts'
import { tryOr } from '../../../lib/errors.ts'
import type { WorkflowStep } from '../../../policy/index.ts'
import { redact, type StoredScope, type StoredStep } from '../../../store/index.ts'
import { changesSince, readWorkingTree } from '../git-changes.ts'

/** Files outside of the `may` paths of a step. */
export function filesOutsideScope(
  root: string,
  { may }: Pick<WorkflowStep, 'may'>,
  files: readonly string[],
): readonly string[] {
  if (may === undefined) return []
  const patterns = may.map(text => parsePath(text, { root }))
  const how = { tree: false, reading: 'all', fill: (text: string) => text } as const
  return files.filter(file => matchPathRef(patterns, { lexical: join(root, file) }, how) !== 'true')
}

/** The working tree before an agent begins. Undefined if the step may change everything, or without git. */
export function readStepScope(root: string, { may }: WorkflowStep): StoredScope | undefined {
  const tree = may === undefined ? undefined : readWorkingTree(root)
  if (may === undefined || tree === undefined) return undefined
  // a name with a secret is not stored, so its file counts as changed
  const outside = filesOutsideScope(root, { may }, [...tree.files.keys()]).filter(path => redact(path) === path)
  return {
    may,
    head: tree.head,
    files: Object.fromEntries(outside.map(path => [path, tree.files.get(path)?.stamp ?? ''])),
  }
}

/** What is wrong if the process of a step was killed while its agent worked and changed files that it may not change. */
export function scopeViolationOfKilledStep(root: string, { scope }: StoredStep): string | undefined {
  if (scope === undefined) return undefined
  const { head, may } = scope
  const files = new Map(Object.entries(scope.files).map(([path, stamp]) => [path, { code: '', stamp }]))
  const changes = tryOr(undefined, () => changesSince(root, { head, files }))
  if (changes === undefined) return 'it was killed, and which files it changed cannot be determined: git failed'
  const paths = changes.map(({ path }) => path)
  const outside = filesOutsideScope(root, { may }, paths)
  return outside.length === 0
    ? undefined
    : `files that the step may not change have changed since it began: ${redact(outside.join(', '))}`
}
