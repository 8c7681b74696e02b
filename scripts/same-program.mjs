// Proves that a commit only renames and moves: `node scripts/same-program.mjs BEFORE [AFTER]` (commits; AFTER is the work tree unless given).
//
// Each module of src/ and ui/src/ is stripped of its types and minified alone, so that local names no longer matter. The syntax trees of
// both sides must then be equal, node by node, but for
//   - identifiers, which must map one to one within a module,
//   - exported names and paths of modules, which must map one to one over all modules,
//   - property names and strings, which must be equal unless `--properties FILE` lists them ({ "old": "new" }).
// Import declarations are compared as a set: their order follows the sorted paths.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { transform } from 'esbuild'
import { parseAst } from 'vite'

const [before, after] = process.argv
  .slice(2)
  .filter((word, at, all) => !word.startsWith('--') && all[at - 1] !== '--properties')
const listFile = process.argv[process.argv.indexOf('--properties') + 1]
const renamedProperties = new Map(
  process.argv.includes('--properties') ? Object.entries(JSON.parse(readFileSync(listFile, 'utf8'))) : [],
)
if (!before) {
  console.error('usage: node scripts/same-program.mjs BEFORE [AFTER] [--properties FILE]')
  process.exit(2)
}

const git = (...args) => {
  const { status, stdout, stderr } = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 28 })
  if (status !== 0) throw new Error(stderr)
  return stdout
}
const isSource = path => /^(src|ui\/src)\/.*\.tsx?$/.test(path)
const filesAt = commit =>
  (commit ? git('ls-tree', '-r', '--name-only', commit) : git('ls-files', '-c', '-o', '--exclude-standard'))
    .split('\n')
    .filter(isSource)
const textAt = (commit, path) => (commit ? git('show', `${commit}:${path}`) : readFileSync(path, 'utf8'))

/** Old path → new path, by git's own detection of renames. */
function movedPaths() {
  const range = after ? [before, after] : [before]
  const lines = git('diff', '--name-status', '--find-renames=30%', '-l0', '--diff-filter=R', ...range)
    .split('\n')
    .filter(Boolean)
  return new Map(lines.map(line => line.split('\t').slice(1)))
}

const IMPORTS = new Set(['ImportDeclaration'])
const SKIPPED = new Set(['start', 'end', 'loc', 'range', 'raw'])

async function treeOf(commit, path) {
  const text = textAt(commit, path)
  const { code } = await transform(text, {
    loader: path.endsWith('x') ? 'tsx' : 'ts',
    jsx: 'preserve',
    format: 'esm',
    target: 'esnext',
    minifyIdentifiers: true,
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  })
  const body = parseAst(code, { lang: 'jsx' }).body
  const resolve = source => (source.startsWith('.') ? posix.join(posix.dirname(path), source) : source)
  return { body, resolve }
}

class Difference extends Error {}
const differs = (what, left, right) => {
  throw new Difference(`${what}: ${left} | ${right}`)
}

/** A one-to-one map that grows as pairs are seen. */
function bijection(name) {
  const there = new Map()
  const back = new Map()
  return (left, right) => {
    if ((there.get(left) ?? right) !== right || (back.get(right) ?? left) !== left)
      differs(`${name} does not map one to one`, `${left} → ${there.get(left)}`, `${right} ← ${back.get(right)}`)
    there.set(left, right)
    back.set(right, left)
  }
}

const isProperty = (parent, key) =>
  (parent.type === 'MemberExpression' && key === 'property' && !parent.computed) ||
  ((parent.type === 'Property' || parent.type === 'PropertyDefinition' || parent.type === 'MethodDefinition') &&
    key === 'key' &&
    !parent.computed)

function compareNodes(left, right, match, parent, key) {
  if (typeof left !== 'object' || left === null || typeof right !== 'object' || right === null) {
    if (left !== right && renamedProperties.get(left) !== right) differs('value', left, right)
    return
  }
  if (Array.isArray(left)) {
    if (left.length !== right.length) differs('length', left.length, right.length)
    for (const [at, item] of left.entries()) compareNodes(item, right[at], match, parent, key)
    return
  }
  if (left instanceof RegExp || typeof left === 'bigint')
    return String(left) === String(right) || differs('value', left, right)
  if (left.type !== right.type) differs('node', left.type, right.type)
  if (left.type === 'Identifier' || left.type === 'JSXIdentifier') {
    if (parent && isProperty(parent, key)) {
      if ((renamedProperties.get(left.name) ?? left.name) !== right.name && left.name !== right.name)
        differs('property', left.name, right.name)
    } else match.identifier(left.name, right.name)
    return
  }
  if (left.type === 'ImportExpression' && left.source.type === 'Literal')
    return match.path(left.source.value, right.source.value)
  if (left.type?.startsWith('Export') && left.source) match.path(left.source.value, right.source.value)
  for (const field of Object.keys(left))
    if (!SKIPPED.has(field) && !(field === 'source' && left.type?.startsWith('Export')))
      compareNodes(left[field], right[field], match, left, field)
}

const importsOf = ({ body, resolve }) =>
  body
    .filter(({ type }) => IMPORTS.has(type))
    .flatMap(({ source, specifiers }) =>
      specifiers.length === 0
        ? [{ from: resolve(source.value), name: '', local: '' }]
        : specifiers.map(({ type, imported, local }) => ({
            from: resolve(source.value),
            name: type === 'ImportSpecifier' ? (imported.name ?? imported.value) : type,
            local: local.name,
          })),
    )

function compareModules(old, now, samePath, sameExport) {
  const identifier = bijection('identifier')
  const locals = new Map()
  const match = {
    identifier: (left, right) => {
      identifier(left, right)
      locals.set(left, right)
    },
    path: (left, right) => samePath(old.resolve(left), now.resolve(right)),
  }
  const rest = ({ body }) => body.filter(({ type }) => !IMPORTS.has(type))
  const exportsOf = nodes =>
    nodes.filter(({ type }) => type === 'ExportNamedDeclaration' || type === 'ExportAllDeclaration')
  const others = nodes => nodes.filter(node => !exportsOf([node]).length)
  compareNodes(others(rest(old)), others(rest(now)), match)
  compareExports(exportsOf(rest(old)), exportsOf(rest(now)), locals, old, now, samePath, sameExport)
  const left = importsOf(old)
  const right = importsOf(now)
  if (left.length !== right.length) differs('imports', left.length, right.length)
  for (const { from, name, local } of left) {
    // one that is only exported again has no use in the body: its names were matched as an export
    if (local && !locals.has(local)) continue
    const twin = right.find(one => (local ? one.local === locals.get(local) : sameFile(one.from, from, samePath)))
    if (!twin) differs('import', `${name} of ${from}`, 'none')
    samePath(from, twin.from)
    sameExport(from, name, twin.from, twin.name)
  }
}

function sameFile(now, old, samePath) {
  try {
    samePath(old, now)
    return true
  } catch {
    return false
  }
}

/** `export { a as name }` and `export … from`: the minified locals are matched by then, the names outside are matched over all modules. */
function compareExports(left, right, locals, old, now, samePath, sameExport) {
  const flat = (nodes, module) => {
    const imported = new Map(importsOf(module).map(({ local, from, name }) => [local, { from, local: name }]))
    return nodes.flatMap(node => {
      const from = node.source ? module.resolve(node.source.value) : ''
      if (node.type === 'ExportAllDeclaration') return [{ from, name: `* ${node.exported?.name ?? ''}`, local: '*' }]
      return node.specifiers.map(({ exported, local }) => {
        const inner = local.name ?? local.value
        return { from, local: inner, ...(!from && imported.get(inner)), name: exported.name ?? exported.value }
      })
    })
  }
  const mine = flat(left, old)
  const theirs = flat(right, now)
  if (mine.length !== theirs.length) differs('exports', mine.length, theirs.length)
  const taken = new Set()
  for (const one of mine) {
    const twin = theirs.find(
      other =>
        !taken.has(other) &&
        (one.from
          ? other.from &&
            sameFile(other.from, one.from, samePath) &&
            names(one.from, one.local, other.from, other.local, sameExport)
          : !other.from && locals.get(one.local) === other.local),
    )
    if (!twin) differs('export', `${one.name} ${one.from}`, 'none')
    taken.add(twin)
    sameExport(old.path, one.name, now.path, twin.name)
  }
}

function names(from, name, to, twin, sameExport) {
  try {
    sameExport(from, name, to, twin)
    return true
  } catch {
    return false
  }
}

const moved = movedPaths()
const renamed = path => moved.get(path) ?? path
const samePath = (left, right) => {
  if (renamed(left) !== right) differs('path', `${left} → ${renamed(left)}`, right)
}
const exported = bijection('exported name')
const sameExport = (from, name, to, twin) => exported(`${from} ${name}`, `${to} ${twin}`)

const old = filesAt(before)
const now = new Set(filesAt(after))
let problems = 0
const problem = text => {
  problems += 1
  console.log(text)
}
for (const path of old) if (!now.has(renamed(path))) problem(`${path}: is gone`)
const expected = new Set(old.map(renamed))
for (const path of now) if (!expected.has(path)) problem(`${path}: is new`)
let nodes = 0
for (const path of old.filter(one => now.has(renamed(one)))) {
  try {
    const [left, right] = await Promise.all([treeOf(before, path), treeOf(after, renamed(path))])
    compareModules({ ...left, path }, { ...right, path: renamed(path) }, samePath, sameExport)
    nodes += 1
  } catch (error) {
    if (!(error instanceof Difference)) throw error
    problem(`${path}: ${error.message}`)
  }
}
console.log(problems === 0 ? `the same program: ${nodes} modules` : `${problems} differences in ${old.length} modules`)
process.exit(problems === 0 ? 0 : 1)
