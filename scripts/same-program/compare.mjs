// Two programs are the same when their modules, statement by statement, are the same trees, and a one-to-one map from the declarations of
// the one to those of the other holds for every identifier in them.

import { pairModules } from './moves.mjs'
import { importedPath, isBarrel, Program } from './program.mjs'
import { declaredBy, fieldsOf, isPlainName } from './scopes.mjs'

class Difference extends Error {}
const differs = (what, left, right) => {
  throw new Difference(`${what}: ${left} | ${right}`)
}

const describe = meaning => {
  if (meaning === undefined) return 'nothing'
  if (typeof meaning === 'string') return meaning
  if (meaning.namespace) return `all of ${meaning.namespace}`
  return `${meaning.name} of ${meaning.module}`
}

/** Declarations of one side ↔ declarations of the other. */
class Pairs {
  there = new Map()
  back = new Map()

  add(left, right) {
    const known = this.there.get(left) ?? right
    const origin = this.back.get(right) ?? left
    if (left.isTop !== right.isTop || known !== right)
      differs('meaning', describe(left), `${describe(right)}, not ${describe(known)}`)
    if (origin !== left) differs('meaning', describe(left), `${describe(right)}, which was ${describe(origin)}`)
    this.there.set(left, right)
    this.back.set(right, left)
  }
}

/** The identifiers that a statement of a module declares, in their order. */
const topNames = statement =>
  statement.type === 'VariableDeclaration'
    ? statement.declarations.flatMap(({ id }) => declaredBy(id))
    : declaredBy(/^(Function|Class)Declaration$/.test(statement.type) ? statement.id : undefined)

class Comparison {
  pairs = new Pairs()
  problems = []
  /** listed property → where it kept its name, and whether it was renamed anywhere */
  kept = new Map()
  renamed = new Set()
  /** names of properties and strings of the old program: what could ask a whole module for one of its exports */
  usedNames = new Set(['default'])
  /** modules that are passed on as a whole: [old path, new path] */
  whole = []

  constructor(old, now, newPaths, { properties, entries, isOutermost }) {
    Object.assign(this, { old, now, newPaths, properties, entries, isOutermost })
  }

  attempt(place, action) {
    this.place = place
    try {
      action()
    } catch (error) {
      if (!(error instanceof Difference)) throw error
      this.problems.push(`${place}: ${error.message}`)
    }
  }

  run() {
    const twins = [...this.newPaths].map(([path, to]) => [this.old.modules.get(path), this.now.modules.get(to)])
    for (const [left, right] of twins) this.pairDeclarations(left, right)
    for (const [left, right] of twins) this.compareModule(left, right)
    const loaded = [...this.newPaths].filter(([path]) => this.entries.has(path))
    for (const [left, right] of new Map([...this.whole, ...loaded].map(one => [one.join('\n'), one])).values())
      this.compareNames(left, right, name => this.usedNames.has(name))
    for (const [left, right] of this.newPaths) if (this.isOutermost(left)) this.compareNames(left, right, () => true)
  }

  /** By their place in the module, so that a wrong use is found where it is, not where the declaration is. */
  pairDeclarations(left, right) {
    if (left.statements.length !== right.statements.length) return
    for (const [at, statement] of left.statements.entries()) {
      const names = topNames(statement)
      const others = topNames(right.statements[at])
      if (names.length !== others.length) continue
      for (const [index, name] of names.entries())
        this.pairs.add(left.bindings.get(name), right.bindings.get(others[index]))
    }
  }

  compareModule(left, right) {
    const { path, statements } = left
    const [mine, theirs] = [statements.length, right.statements.length]
    // without a place of their own there is no telling which statement is which
    if (mine !== theirs) return this.attempt(path, () => differs('number of statements', mine, theirs))
    for (const [at, statement] of statements.entries()) {
      const name = topNames(statement)[0]?.name ?? `statement ${at + 1}`
      this.attempt(`${path}: in ${name}`, () => this.compare(statement, right.statements[at], { left, right }))
    }
    this.attempt(path, () => this.compareEffects(left, right))
    this.attempt(path, () => this.compareOwnExports(left, right))
  }

  /** `import './module.ts'` */
  compareEffects(left, right) {
    const pathsOf = ({ forEffect }, program) => forEffect.map(program.outsidePath).sort().join(', ')
    const [mine, theirs] = [pathsOf(left, this.old), pathsOf(right, this.now)]
    if (mine !== theirs) differs('imports for their effect', mine, theirs)
  }

  compareOwnExports(left, right) {
    const own = ({ exported }) => new Set([...exported.values()].filter(one => one && !one.link))
    const theirs = own(right)
    for (const one of own(left)) {
      const twin = this.pairs.there.get(one)
      if (!theirs.delete(twin)) differs('export', describe(one), `${describe(twin)} is not exported`)
    }
    for (const one of theirs) differs('export', `${describe(this.pairs.back.get(one))} is not exported`, describe(one))
  }

  sameMeaning(left, right) {
    if (left?.namespace && right?.namespace) this.whole.push([left.namespace, right.namespace])
    else if (left?.module && right?.module) this.pairs.add(left, right)
    else if (left === undefined || left !== right) differs('meaning', describe(left), describe(right))
  }

  sameExport(from, name, to, twin) {
    this.sameMeaning(this.old.exportOf(from, name), this.now.exportOf(to, twin))
  }

  sameName(left, right) {
    this.usedNames.add(left)
    if (left !== right && this.properties.get(left) !== right) differs('text', left, right)
    if (left !== right) this.renamed.add(left)
    else if (this.properties.has(left)) this.kept.set(left, [...(this.kept.get(left) ?? []), this.place])
  }

  /** A property that is renamed in one place and not in another may be two properties of one name, or forgotten. */
  notes() {
    const both = [...this.kept].filter(([name]) => this.renamed.has(name))
    return both.flatMap(([name, places]) => [...new Set(places)].map(place => `${place}: note: ${name} keeps its name`))
  }

  compare(left, right, modules, parent, field) {
    if (Array.isArray(left) && Array.isArray(right)) {
      if (left.length !== right.length) differs('length', left.length, right.length)
      for (const [at, item] of left.entries()) this.compare(item, right[at], modules, parent, field)
    } else if (typeof left === 'string' && typeof right === 'string') this.sameName(left, right)
    else if (left instanceof RegExp || typeof left !== 'object' || left === null) {
      if (!Object.is(left, right) && !(left instanceof RegExp && String(left) === String(right)))
        differs('value', left, right)
    } else if (left.type !== right?.type) differs('syntax', left.type, right?.type)
    else if (left.type === 'Identifier' && !isPlainName(parent, field))
      this.sameMeaning(this.old.meaningOf(modules.left, left), this.now.meaningOf(modules.right, right))
    else if (!this.compareModuleUse(left, right, modules)) this.compareFields(left, right, modules)
  }

  compareFields(left, right, modules) {
    // the text of a literal says how its value is written
    for (const name of fieldsOf(left))
      if (!(left.type === 'Literal' && name === 'raw')) this.compare(left[name], right[name], modules, left, name)
  }

  /** Names that are looked up in a module: `shell.parse`, `(await import('./shell.ts')).parse`, `const { parse } = await import(…)`. */
  compareModuleUse(left, right, modules) {
    const isMember = left.type === 'MemberExpression' && !left.computed && !right.computed
    const [mine, theirs] = isMember ? [left.object, right.object] : [left.init, right.init]
    if (isMember || (left.type === 'VariableDeclarator' && isPlainPattern(left.id) && isPlainPattern(right.id))) {
      const from = this.old.namespaceOf(modules.left, mine)
      const to = this.now.namespaceOf(modules.right, theirs)
      if (from === undefined || to === undefined || mine.type !== theirs.type) return false
      if (isMember) this.sameExport(from, left.property.name, to, right.property.name)
      else this.comparePicked(left.id.properties, right.id.properties, from, to, modules)
      return true
    }
    if (left.type !== 'ImportExpression') return false
    const from = importedPath(modules.left, left)
    const to = importedPath(modules.right, right)
    if (from === undefined || to === undefined) return false
    this.sameMeaning({ namespace: from }, { namespace: to })
    return true
  }

  comparePicked(picked, others, from, to, modules) {
    if (picked.length !== others.length) differs('length', picked.length, others.length)
    for (const [at, { key, value }] of picked.entries()) {
      this.sameExport(from, key.name, to, others[at].key.name)
      this.compare(value, others[at].value, modules, picked[at], 'value')
    }
  }

  /** The names of a module that others may ask for by name: each still leads to the same declaration. */
  compareNames(from, to, matters) {
    const isOutside = !this.old.modules.has(from) || !this.now.modules.has(to)
    if (isOutside) return this.attempt(from, () => this.old.outsidePath(from) === to || differs('module', from, to))
    const offered = new Set(this.now.exportedNames(to))
    for (const name of this.old.exportedNames(from).filter(matters)) {
      const listed = this.properties.get(name)
      const twin = offered.has(listed) ? listed : name
      this.attempt(`${from}: exported name ${name}`, () => this.sameExport(from, name, to, twin))
    }
  }
}

const isPlainPattern = node =>
  node?.type === 'ObjectPattern' &&
  node.properties.every(one => one.type === 'Property' && !one.computed && one.key.name)

/** The modules that another one imports, in any way. */
function importedModules({ modules }) {
  const found = new Set([...modules.values()].flatMap(({ links }) => links))
  for (const module of modules.values())
    JSON.stringify(module.statements, (_, value) => {
      if (value?.type === 'ImportExpression') found.add(importedPath(module, value))
      return typeof value === 'bigint' ? String(value) : value
    })
  return found
}

const NO_OPTIONS = { moves: new Map(), guesses: new Map(), properties: new Map(), entries: [] }

/**
 * What differs between two programs, each given as path → text, but for names and places.
 * `moves`: old path → new path; `guesses`: the same, where nothing better is known.
 * `properties`: old name → new name, for properties and strings that may be renamed.
 * `entries`: modules, by their old path, that something loads as a file of its own and asks for names in.
 */
export async function differences(before, after, options) {
  const { moves, guesses, properties, entries } = { ...NO_OPTIONS, ...options }
  const old = await Program.read(before)
  const now = await Program.read(after)
  const newPaths = pairModules(old, now, moves, guesses)
  old.outsidePath = path => newPaths.get(path) ?? moves.get(path) ?? guesses.get(path) ?? path
  const imported = importedModules(old)
  const isOutermost = path => !imported.has(path)
  const comparison = new Comparison(old, now, newPaths, { properties, entries: new Set(entries), isOutermost })
  comparison.run()
  const problems = [...unpaired(old, now, newPaths, isOutermost), ...comparison.problems]
  return { problems, notes: comparison.notes() }
}

function unpaired(old, now, newPaths, isOutermost) {
  const kept = new Set(newPaths.values())
  const isMissed = one =>
    !newPaths.has(one.path) && (!isBarrel(one) || (isOutermost(one.path) && one.exported.size > 0))
  const isNew = one => !kept.has(one.path) && !isBarrel(one)
  return [
    ...[...old.modules.values()].filter(isMissed).map(({ path }) => `${path}: is gone`),
    ...[...now.modules.values()].filter(isNew).map(({ path }) => `${path}: is new`),
  ]
}
