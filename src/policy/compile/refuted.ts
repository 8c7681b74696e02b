import { join } from 'node:path'
import type { Layer } from '../../pattern/index.ts'
import { isSameVersion, type Kept } from '../last-good.ts'
import { type PolicyError, problemOf } from '../problem.ts'
import type { Refuted } from '../proofs.ts'
import { type Candidate, demote, isUsed } from './candidate.ts'
import type { Ground } from './context.ts'
import type { Contents } from './files.ts'

/** The counterexample as a problem of the line that is to change. */
export function refutedAt({ what, at, advice }: Refuted, ground: Ground): PolicyError {
  const [, name = at, line = '1'] = at.match(/^(.*):(\d+)$/) ?? []
  return { ...problemOf(fileNamed(name, ground), what, advice), line: Number(line), stuck: true }
}

/** The other way round of `label`. */
function fileNamed(name: string, { root, home, packsDir }: Ground): string {
  if (name.startsWith('/')) return name
  if (name.startsWith('~/')) return join(home, name.slice(2))
  return name.startsWith('packs/') ? join(packsDir, name.slice('packs/'.length)) : join(root, name)
}

/** Who brings the layer. What is built in has no earlier version. */
const BRINGS: readonly (readonly Layer[])[] = [['project', 'nested'], ['user'], ['managed']]

/**
 * The layers with one of them as it was before, the one that changed last first. Only those of the weakest who has a say: a project must
 * not bring an older policy of the user's back by getting in its way, nor a user one of who manages the machine.
 */
export function* earlier(
  candidates: readonly Candidate[],
  problem: PolicyError,
  kept: (file: string) => readonly Kept[],
  seen: Contents,
): Iterable<readonly Candidate[]> {
  const used = candidates.filter(isUsed)
  const weakest = BRINGS.find(layers => used.some(({ found }) => layers.includes(found.layer))) ?? []
  const changed = used
    .filter(({ found }) => weakest.includes(found.layer))
    .map(one => ({ one, at: changedAt(one, kept(one.found.file)) }))
    .sort((a, b) => b.at - a.at)
  for (const { one } of changed)
    for (let next = demote(one, [problem], kept, seen); isUsed(next); next = demote(next, [problem], kept, seen))
      yield candidates.map(candidate => (candidate === one ? next : candidate))
}

/** One that was not kept yet has just come. */
function changedAt({ state, version, asked }: Candidate, kept: readonly Kept[]): number {
  const itself = { text: version.text, refs: [...asked] }
  const known = state === 'active' ? kept.find(one => isSameVersion(one, itself)) : undefined
  return known?.savedAt ?? Number.MAX_VALUE
}
