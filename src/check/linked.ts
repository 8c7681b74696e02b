import type { Gate, Program } from '../core/index.ts'
import { type Condition, matchPlace, type PathPattern } from '../pattern/index.ts'
import { atomsOf } from './atom.ts'
import type { Finding } from './finding.ts'
import { fileFor } from './witness.ts'

/** A file that a policy names, and where a link leads from it. */
interface Link {
  readonly path: string
  readonly to: string
  /** of the gate that names it */
  readonly at: string
}

/** Where a file really lies, with all links resolved. */
export type RealPath = (path: string) => string

/** The policy as far as links leave it: a path has to be meant by its name and by where it leads to open or to exempt. */
export function withoutLinked<P extends Program>(
  program: P,
  root: string,
  realPath: RealPath,
): { readonly program: P; readonly links: readonly Link[] } {
  const links = new Map<string, Link>()
  const gates = program.gates.map(gate => {
    const linkOf = (pattern: PathPattern, all: readonly PathPattern[]): Link | undefined => {
      const found = leadingElsewhere(pattern, all, root, realPath)
      return found && { ...found, at: openingAt(gate, pattern) }
    }
    const narrow = (condition: Condition): Condition => {
      if ('all' in condition) return { all: condition.all.map(narrow) }
      if ('any' in condition) return { any: condition.any.map(narrow) }
      if ('not' in condition || condition.key !== 'path') return condition
      const left = condition.in.filter(one => {
        const link = linkOf(one, condition.in)
        if (link) links.set(link.path, links.get(link.path) ?? link)
        return !link
      })
      return left.length > 0 ? { ...condition, in: left } : { any: [] }
    }
    return {
      ...gate,
      transitions: gate.transitions.map(one => (one.to === 'open' ? { ...one, when: narrow(one.when) } : one)),
      rules: gate.rules.map(rule => (rule.unless ? { ...rule, unless: narrow(rule.unless) } : rule)),
    }
  })
  return { program: { ...program, gates }, links: [...links.values()] }
}

/** Its folder, or the file itself where it is named, leads to where none of the patterns is about. */
function leadingElsewhere(
  pattern: PathPattern,
  all: readonly PathPattern[],
  root: string,
  realPath: RealPath,
): Omit<Link, 'at'> | undefined {
  const path = pattern.head === undefined ? pattern.glob : fileFor(pattern.glob)
  const named = pattern.head ?? pattern.glob
  if (!named.startsWith(`${root}/`)) return undefined
  const to = realPath(named)
  // the project itself may lie behind a link
  if (to === named || to === realPath(root) + named.slice(root.length)) return undefined
  const how = { tree: false, reading: 'all', fill: (text: string) => text } as const
  const covers = (real: string): boolean => matchPlace(all, { lexical: path, real }, how) !== 'false'
  return !covers(path) || covers(to + path.slice(named.length))
    ? undefined
    : { path: named.slice(root.length + 1), to: to.startsWith(`${root}/`) ? to.slice(root.length + 1) : to }
}

const openingAt = (gate: Gate, pattern: PathPattern): string =>
  [...gate.transitions, ...gate.rules].find(one => atomsOf(one.when).some(atom => isOf(atom, pattern)))?.at ??
  gate.at ??
  gate.id

const isOf = (atom: Condition, { glob }: PathPattern): boolean =>
  'key' in atom && atom.key === 'path' && atom.in.some(one => one.glob === glob)

/** What is found only because of the links. They may be gone tomorrow, so it is not certain. */
export function byLinks(found: readonly Finding[], known: readonly Finding[], links: readonly Link[]) {
  const isNew = (one: Finding): boolean => !known.some(other => other.kind === one.kind && other.gate === one.gate)
  const said = links.slice(0, 3).map(({ path, to }) => `\`${path}\` is a link to \`${to}\``)
  const fix = links.slice(0, 3).map(({ path, at }) => ({
    at,
    advice: `name where \`${path}\` leads, or make it a file or a folder of its own`,
  }))
  const ofKind = (kinds: readonly Finding['kind'][]) => found.filter(one => kinds.includes(one.kind) && isNew(one))
  const stuck = ofKind(['deadlock', 'held'])
  return (stuck.length > 0 ? stuck : ofKind(['suggestion'])).map(
    (one): Finding => ({
      ...one,
      why: `${said.join(', ')}, and what is done to it does not count as done to that file; ${one.why}`,
      doubt: one.doubt ?? 'what lies on disk may change',
      fix,
    }),
  )
}
