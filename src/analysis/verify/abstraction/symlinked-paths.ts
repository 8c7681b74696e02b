import type { Gate, Program } from '../../../engine/index.ts'
import { type Condition, matchPathRef, type PathPattern } from '../../../engine/index.ts'
import type { VerificationFinding } from '../report/finding.ts'
import { atomsOf } from './condition-atoms.ts'
import { samplePath } from './input-partitioning/sample-strings.ts'

/** A path that a policy names and that a symbolic link leads elsewhere. */
interface PolicySymlink {
  readonly path: string
  readonly to: string
  /** source location of the rule or transition that names it */
  readonly at: string
}

/** Returns the real path, with all links resolved. */
export type RealPathResolver = (path: string) => string

/** Removes paths that lead elsewhere from openings and exemptions: there, a path must match by its name and by its real path. */
export function withoutSymlinkedPaths<P extends Program>(
  program: P,
  root: string,
  realPath: RealPathResolver,
): { readonly program: P; readonly links: readonly PolicySymlink[] } {
  const links = new Map<string, PolicySymlink>()
  const gates = program.gates.map(gate => {
    const linkOf = (pattern: PathPattern, all: readonly PathPattern[]): PolicySymlink | undefined => {
      const found = findMisleadingSymlink(pattern, all, root, realPath)
      return found && { ...found, at: locationOfPattern(gate, pattern) }
    }
    const narrow = (condition: Condition): Condition => {
      if ('all' in condition) return { all: condition.all.map(narrow) }
      if ('any' in condition) return { any: condition.any.map(narrow) }
      if ('with' in condition) return { with: narrow(condition.with) }
      if ('not' in condition || condition.key !== 'path') return condition
      const left = condition.in.filter(pattern => {
        const link = linkOf(pattern, condition.in)
        if (link) links.set(link.path, links.get(link.path) ?? link)
        return !link
      })
      return left.length > 0 ? { ...condition, in: left } : { any: [] }
    }
    return {
      ...gate,
      transitions: gate.transitions.map(transition =>
        transition.to === 'open' ? { ...transition, when: narrow(transition.when) } : transition,
      ),
      rules: gate.rules.map(rule => (rule.unless ? { ...rule, unless: narrow(rule.unless) } : rule)),
    }
  })
  return { program: { ...program, gates }, links: [...links.values()] }
}

/** The link at the path or its fixed folder prefix, if the real path matches none of the patterns. */
function findMisleadingSymlink(
  pattern: PathPattern,
  all: readonly PathPattern[],
  root: string,
  realPath: RealPathResolver,
): Omit<PolicySymlink, 'at'> | undefined {
  const path = pattern.head === undefined ? pattern.glob : samplePath(pattern.glob)
  const named = pattern.head ?? pattern.glob
  if (!named.startsWith(`${root}/`)) return undefined
  const to = realPath(named)
  // the project root itself may be a link
  if (to === named || to === realPath(root) + named.slice(root.length)) return undefined
  const options = { tree: false, reading: 'all', fill: (text: string) => text } as const
  const covers = (real: string): boolean => matchPathRef(all, { lexical: path, real }, options) !== 'false'
  return !covers(path) || covers(to + path.slice(named.length))
    ? undefined
    : { path: named.slice(root.length + 1), to: to.startsWith(`${root}/`) ? to.slice(root.length + 1) : to }
}

const locationOfPattern = (gate: Gate, pattern: PathPattern): string =>
  [...gate.transitions, ...gate.rules].find(one => atomsOf(one.when).some(atom => hasPathPattern(atom, pattern)))?.at ??
  gate.at ??
  gate.id

const hasPathPattern = (atom: Condition, { glob }: PathPattern): boolean =>
  'key' in atom && atom.key === 'path' && atom.in.some(pattern => pattern.glob === glob)

/** Findings that exist only because of the links. Links can change, so the findings are doubts. */
export function reportSymlinkFindings(
  found: readonly VerificationFinding[],
  known: readonly VerificationFinding[],
  links: readonly PolicySymlink[],
) {
  const isNew = (finding: VerificationFinding): boolean =>
    !known.some(other => other.kind === finding.kind && other.gate === finding.gate)
  const linkTexts = links.slice(0, 3).map(({ path, to }) => `\`${path}\` is a link to \`${to}\``)
  const fix = links.slice(0, 3).map(({ path, at }) => ({
    at,
    advice: `name the target of \`${path}\`, or replace the link by a file or folder`,
  }))
  const ofKind = (kinds: readonly VerificationFinding['kind'][]) =>
    found.filter(finding => kinds.includes(finding.kind) && isNew(finding))
  const deadlocked = ofKind(['deadlock', 'cannot-end'])
  return (deadlocked.length > 0 ? deadlocked : ofKind(['misleading'])).map(
    (finding): VerificationFinding => ({
      ...finding,
      why: `${linkTexts.join(', ')}, and actions on the link do not count as actions on its target; ${finding.why}`,
      inconclusiveReason: finding.inconclusiveReason ?? 'files on disk may change',
      fix,
    }),
  )
}
