import type { ActionKind } from '../model/vocabulary.ts'
import { cannotMatchPath, matchPath, type PathPattern } from './path.ts'
import { everyTruth, type Quantifier, someTruth, type Truth } from './three-valued.ts'

/** A file that an action touches. `lexical` is null when it is unknown; `real` has symlinks resolved. */
export interface PathRef {
  readonly lexical: string | null
  /** a path in the home folder of a user, `~dev/x`, which is known only where the users are known */
  readonly ofUser?: string
  readonly real?: string
  /** `lexical` contains shell wildcards and stands for every file they may match */
  readonly glob?: boolean
  /** a wildcard that may match a symlink: the file may lie elsewhere */
  readonly strays?: boolean
  /** the disk does not distinguish `A` from `a` */
  readonly foldCase?: boolean
  /**
   * Everything below is touched too: `ln -sfn x dir`, `chmod -R 0 dir`, `git restore dir`, `grep -r x dir`. False: nothing below is,
   * although the action is one that may (`rm` without `-r`)
   */
  readonly whole?: boolean
  /** of everything below, only files with one of these names, as `find -name` writes them */
  readonly named?: readonly string[]
  /** only these entries of the folder are touched */
  readonly only?: readonly string[]
  /** the same file as rules spell it, if their paths lead through symlinks. Rules match these, exemptions do not */
  readonly aliases?: readonly string[]
}

interface How {
  /** the action affects the whole tree below the path, unless the path says otherwise */
  readonly tree: boolean
  /** the action is a read, and this is the project. What is in the project is read all the time, so it must be named */
  readonly readsIn?: string | undefined
  readonly reading: Quantifier
  /** puts captures into a pattern that is a template */
  readonly fill: (text: string) => string
}

/** A delete and a search touch what is below their path. If the project contains the home folder, nothing is only the project's. */
export function reachOf(
  action: ActionKind,
  { root, home }: { root: string; home?: string },
): Pick<How, 'tree' | 'readsIn'> {
  const reads = action === 'read' || action === 'search'
  return {
    tree: action === 'delete' || action === 'search',
    readsIn: reads ? (`${home}/`.startsWith(`${root}/`) ? '' : root) : undefined,
  }
}

/** A rule matches if either spelling of the path does; an exemption must cover both (`docs/link` may lead out of docs). */
export function matchPathRef(wanted: readonly PathPattern[], ref: PathRef, how: How): Truth {
  const { tree, readsIn, reading, fill } = how
  const { lexical, real = lexical, glob = false, foldCase = false, whole = tree, named, aliases = [] } = ref
  if (lexical === null || real === null) return 'unknown'
  const spellings = real === lexical ? [lexical] : [lexical, real]
  const plain = !glob && !foldCase && !whole
  const below = !whole ? undefined : readsIn !== undefined ? 'read' : tree ? 'tree' : 'named'
  const one = (path: string): Truth => {
    const near = plain ? wanted.filter(pattern => !cannotMatchPath(pattern, path)) : wanted
    return someTruth(near, pattern =>
      matchPath(
        filled(pattern, fill),
        { path, glob, foldCase, named, below: readsIn && pattern.glob.startsWith(`${readsIn}/`) ? undefined : below },
        reading,
      ),
    )
  }
  const { only } = ref
  const all = [...spellings, ...aliases]
  if (reading === 'any') return someTruth(only ? all.flatMap(path => only.map(name => `${path}/${name}`)) : all, one)
  const covered = everyTruth(spellings, one)
  return covered === 'true' && ref.strays ? 'unknown' : covered
}

/** `{a,b}` is a choice of the glob; `{gate.name.field}` is a capture. */
const filled = (pattern: PathPattern, fill: How['fill']): PathPattern =>
  /\{[^{},]*\}/.test(pattern.glob) ? { ...pattern, glob: fill(pattern.glob) } : pattern
