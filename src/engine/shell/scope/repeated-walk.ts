import { chargeParsing, type EffectCollector, UnreadableLineError } from '../interpreter/effect-collector.ts'
import { isFixpoint } from './merge-scopes.ts'
import { createLoopScope, mergeFolders } from './scope.ts'
import type { ShellScope } from './shell-scope.ts'

/** Walks code that may not run: what it sets is not certain afterwards. */
export function walkConditionally(scope: ShellScope, walk: () => void): void {
  const { cwds, certain, errexit, pipefail } = scope
  scope.certain = false
  walk()
  scope.certain = certain
  scope.errexit &&= errexit
  scope.pipefail &&= pipefail
  scope.cwds = mergeFolders(scope.cwds, cwds)
}

/** Walks code that may run more than once: a later iteration may see what an earlier one set. */
export function walkRepeatedly(
  collector: EffectCollector,
  node: { pos: number; end: number },
  scope: ShellScope,
  walk: () => void,
): void {
  const { loop } = scope
  const text = collector.source.slice(node.pos, node.end)
  if (loop === undefined) {
    scope.loop = createLoopScope(text)
    if (/\b(cd|pushd|popd)\b/.test(text)) scope.cwds = mergeFolders(scope.cwds, [null])
    walkToFixpoint(collector, text, scope, () => walkConditionally(scope, walk))
    // an inner loop is walked again together with the outer one
  } else walkConditionally(scope, walk)
  scope.loop = loop
}

const MAX_ITERATIONS = 4

/** Walks the code until the shell state no longer changes. Only the actions of the last walk count. */
export function walkToFixpoint(collector: EffectCollector, text: string, scope: ShellScope, walk: () => void): void {
  const { check, acts, attested = [] } = collector
  const counts = [acts, attested, scope.finds, scope.listings, scope.staged].map(list => list.length)
  for (let turn = 1; ; turn += 1) {
    const before = { ...scope }
    walk()
    if (isFixpoint(before, scope)) break
    if (turn === MAX_ITERATIONS) throw new UnreadableLineError('never settles')
    chargeParsing(collector, text)
    for (const [at, list] of [acts, attested, scope.finds, scope.listings, scope.staged].entries())
      list.length = counts[at] ?? 0
    // the first walk already did the cross-check with the text
    collector.check = undefined
  }
  collector.check = check
}
