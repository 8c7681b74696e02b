import { cannotMatchPath, matchPath, type PathPattern } from './path.ts'
import { everyTruth, type Quantifier, someTruth, type Truth } from './three-valued.ts'

/** A file an act touches. `lexical` is null when it cannot be told; `real` has symlinks resolved. */
export interface PathRef {
  readonly lexical: string | null
  readonly real?: string
  /** `lexical` holds shell wildcards: it stands for every file they may match */
  readonly glob?: boolean
  /** a wildcard that may match a symlink: what it stands for may lie elsewhere */
  readonly strays?: boolean
  /** the disk does not tell `A` from `a` */
  readonly foldCase?: boolean
  /** what is below changes with it: `ln -sfn x dir`, `chmod -R 0 dir`, `git restore dir` */
  readonly whole?: boolean
  /** of what is below only what has one of these names, as `find -name` writes them */
  readonly named?: readonly string[]
  /** of what is in the folder only these are touched */
  readonly only?: readonly string[]
}

interface How {
  /** the act takes the whole tree below with it */
  readonly tree: boolean
  readonly reading: Quantifier
  /** puts captures into a pattern that is a template */
  readonly fill: (text: string) => string
}

/** A rule is touched by either spelling of the path; an exemption has to cover both (`docs/link` may lead out of docs). */
export function matchPathRef(wanted: readonly PathPattern[], place: PathRef, { tree, reading, fill }: How): Truth {
  const { lexical, real = lexical, glob = false, foldCase = false, whole, named } = place
  if (lexical === null || real === null) return 'unknown'
  const spellings = real === lexical ? [lexical] : [lexical, real]
  const plain = !glob && !foldCase && !tree && !whole
  const one = (path: string): Truth => {
    const near = plain ? wanted.filter(pattern => !cannotMatchPath(pattern, path)) : wanted
    return someTruth(near, pattern =>
      matchPath(filled(pattern, fill), { path, glob, foldCase, tree, whole, named }, reading),
    )
  }
  const { only } = place
  if (reading === 'any')
    return someTruth(only ? spellings.flatMap(path => only.map(name => `${path}/${name}`)) : spellings, one)
  const covered = everyTruth(spellings, one)
  return covered === 'true' && place.strays ? 'unknown' : covered
}

/** `{a,b}` is a choice of the glob; `{gate.name.field}` a capture. */
const filled = (pattern: PathPattern, fill: How['fill']): PathPattern =>
  /\{[^{},]*\}/.test(pattern.glob) ? { ...pattern, glob: fill(pattern.glob) } : pattern
