// A program as its modules, each stripped of types, with what every exported name leads to through any number of re-exports.
import { posix } from 'node:path'
import { transform } from 'esbuild'
import { parseAst } from 'vite'
import { bindIdentifiers } from './scopes.mjs'

const nameOf = node => node.name ?? node.value

/** Statements alone: the exports of this module are one list at the end after `format: 'esm'`, and JSX is calls of functions. */
async function parse(path, text) {
  const { code } = await transform(text, {
    loader: path.endsWith('x') ? 'tsx' : 'ts',
    jsx: 'automatic',
    format: 'esm',
    target: 'esnext',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  })
  return parseAst(code).body
}

const isLink = ({ type }) =>
  type === 'ImportDeclaration' || type === 'ExportNamedDeclaration' || type === 'ExportAllDeclaration'

const IMPORTED_NAME = {
  ImportSpecifier: ({ imported }) => nameOf(imported),
  ImportDefaultSpecifier: () => 'default',
  ImportNamespaceSpecifier: () => '*',
}

async function readModule(path, text) {
  const body = await parse(path, text)
  const resolve = source => (source.startsWith('.') ? posix.join(posix.dirname(path), source) : source)
  const imports = body.filter(({ type }) => type === 'ImportDeclaration')
  const imported = imports.flatMap(({ source, specifiers }) =>
    specifiers.map(one => {
      const link = { from: resolve(source.value), name: IMPORTED_NAME[one.type](one) }
      return { name: one.local.name, module: path, isTop: true, link }
    }),
  )
  const statements = body.filter(node => !isLink(node))
  const { bindings, top } = bindIdentifiers(statements, imported, path)
  const exported = new Map()
  const stars = []
  for (const node of body) {
    if (node.type === 'ExportAllDeclaration' && !node.exported) stars.push(resolve(node.source.value))
    if (node.type === 'ExportAllDeclaration' && node.exported)
      exported.set(nameOf(node.exported), { link: { from: resolve(node.source.value), name: '*' } })
    if (node.type === 'ExportNamedDeclaration')
      for (const one of node.specifiers) {
        const link = node.source && { from: resolve(node.source.value), name: nameOf(one.local) }
        exported.set(nameOf(one.exported), link ? { link } : top.find(nameOf(one.local)))
      }
  }
  const forEffect = imports
    .filter(({ specifiers }) => specifiers.length === 0)
    .map(({ source }) => resolve(source.value))
  const links = body.flatMap(({ source }) => (source ? [resolve(source.value)] : []))
  return { path, resolve, statements, bindings, exported, stars, forEffect, links }
}

/** A module without anything of its own: what it passes on is compared where it is used. */
export const isBarrel = ({ statements, forEffect }) => statements.length === 0 && forEffect.length === 0

/**
 * What a name leads to: a declaration of the program, `{ namespace: path }` for a whole module, a string for what is not of this
 * program (a package, a style sheet, a global), or undefined where nothing of that name is exported.
 */
export class Program {
  /** the path that both programs know a file by, for files that are not modules */
  outsidePath = path => path

  constructor(modules) {
    this.modules = new Map(modules.map(one => [one.path, one]))
  }

  /** `files`: path → text. */
  static async read(files) {
    return new Program(await Promise.all([...files].map(([path, text]) => readModule(path, text))))
  }

  declarationOf(binding) {
    return binding?.link ? this.exportOf(binding.link.from, binding.link.name) : binding
  }

  meaningOf(module, identifier) {
    const binding = module.bindings.get(identifier)
    return binding ? this.declarationOf(binding) : `global ${identifier.name}`
  }

  exportOf(path, name, seen = new Set()) {
    if (name === '*') return { namespace: path }
    const module = this.modules.get(path)
    if (!module) return `${name} of ${this.outsidePath(path)}`
    if (seen.has(module)) return undefined
    seen.add(module)
    const own = module.exported.get(name)
    if (own) return own.link ? this.exportOf(own.link.from, own.link.name, new Set(seen)) : own
    if (name === 'default') return undefined
    for (const star of module.stars) {
      const found = this.modules.has(star) && this.exportOf(star, name, seen)
      if (found) return found
    }
    return undefined
  }

  /** Every name that a module exports, its own and those of `export *`. */
  exportedNames(path, seen = new Set()) {
    const module = this.modules.get(path)
    if (!module || seen.has(path)) return []
    seen.add(path)
    const starred = module.stars.flatMap(star => this.exportedNames(star, seen)).filter(name => name !== 'default')
    return [...new Set([...module.exported.keys(), ...starred])]
  }

  /** The module that an expression stands for: `shell` after `import * as shell`, `await import('./shell.ts')`. */
  namespaceOf(module, node) {
    if (node?.type === 'Identifier') return this.meaningOf(module, node)?.namespace
    const call = node?.type === 'AwaitExpression' ? node.argument : undefined
    return call?.type === 'ImportExpression' ? importedPath(module, call) : undefined
  }
}

/** The module of `import('./module.ts')`; undefined where its path is computed. */
export const importedPath = (module, { source }) =>
  source.type === 'Literal' ? module.resolve(source.value) : undefined
