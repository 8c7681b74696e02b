import { cannotMatchPath, matchPath, type PathPattern } from './path.ts'
import { everyTruth, type Quantifier, someTruth, type Truth } from './three-valued.ts'

/** A file that an action touches. `lexical` is null when it is unknown; `real` has symlinks resolved. */
export interface PathRef {
  readonly lexical: string | null
  readonly real?: string
  /** `lexical` contains shell wildcards and stands for every file they may match */
  readonly glob?: boolean
  /** a wildcard that may match a symlink: the file may lie elsewhere */
  readonly strays?: boolean
  /** the disk does not distinguish `A` from `a` */
  readonly foldCase?: boolean
  /** everything below changes with it: `ln -sfn x dir`, `chmod -R 0 dir`, `git restore dir` */
  readonly whole?: boolean
  /** of everything below, only files with one of these names, as `find -name` writes them */
  readonly named?: readonly string[]
  /** only these entries of the folder are touched */
  readonly only?: readonly string[]
  /** the same file as rules spell it, if their paths lead through symlinks. Rules match these, exemptions do not */
  readonly aliases?: readonly string[]
}

interface How {
  /** the action affects the whole tree below the path */
  readonly tree: boolean
  readonly reading: Quantifier
  /** puts captures into a pattern that is a template */
  readonly fill: (text: string) => string
}

/** A rule matches if either spelling of the path does; an exemption must cover both (`docs/link` may lead out of docs). */
export function matchPathRef(wanted: readonly PathPattern[], ref: PathRef, { tree, reading, fill }: How): Truth {
  const { lexical, real = lexical, glob = false, foldCase = false, whole, named, aliases = [] } = ref
  if (lexical === null || real === null) return 'unknown'
  const spellings = real === lexical ? [lexical] : [lexical, real]
  const plain = !glob && !foldCase && !tree && !whole
  const one = (path: string): Truth => {
    const near = plain ? wanted.filter(pattern => !cannotMatchPath(pattern, path)) : wanted
    return someTruth(near, pattern =>
      matchPath(filled(pattern, fill), { path, glob, foldCase, tree, whole, named }, reading),
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
