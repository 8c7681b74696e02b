import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type ParsedNode,
  visit,
} from 'yaml'
import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import type { ProjectLimits } from '../limits.ts'
import { findPrebuiltTree } from '../packs/prebuilt-packs.ts'
import { parseYaml } from './parse-yaml.ts'
import { type PolicyError, policyErrorAt, policyErrorOfFile, type SourceLocation } from './policy-error.ts'
import type { SourceMap } from './source-map.ts'
import { explainYamlFault } from './yaml-errors.ts'
import { readYamlTree, type YamlTree } from './yaml-tree.ts'

export interface YamlMapping {
  readonly file: string
  /** null if the text is not a valid mapping */
  readonly root: JsonObject | null
  readonly problems: readonly PolicyError[]
}

const MAX_BYTES = 8_000_000
const MAX_DEPTH = 40
const MAX_ALIASES = 100
/** Nobody reads more at once, and locating each error takes time. */
const MAX_ERRORS = 50
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

export interface YamlValue {
  /** null if the text is invalid or empty */
  readonly value: Json
  readonly problems: readonly PolicyError[]
  /** where the value begins; absent for an empty text */
  readonly place?: SourceLocation
}

/** Reads a mapping as plain values, and puts their source locations in `sourceMap`. */
export function readYamlMapping(text: string, file: string, sourceMap: SourceMap, limits?: ProjectLimits): YamlMapping {
  const { value, problems, place } = readYamlValue(text, file, sourceMap, limits)
  if (problems.length > 0) return { file, root: null, problems }
  if (place === undefined) return { file, root: {}, problems: [] }
  if (isObject(value)) return { file, root: value, problems: [] }
  return { file, root: null, problems: [policyErrorAt(place, 'the file must be a mapping of keys')] }
}

/** Reads YAML text with any kind of value. */
export function readYamlValue(text: string, file: string, sourceMap: SourceMap, limits?: ProjectLimits): YamlValue {
  const failed = (problem: PolicyError): YamlValue => ({ value: null, problems: [problem] })
  if (text.length > MAX_BYTES) return failed(policyErrorOfFile(file, 'the file is larger than 8 MB'))
  const known = findPrebuiltTree(text)
  if (known) return readPrebuiltTree(known, text, file, sourceMap)
  const lines = new LineCounter()
  const parsed = parseYaml(text, lines, limits)
  if (!parsed) return failed(policyErrorOfFile(file, 'the file is nested too deeply to be read'))
  const { document, faults } = parsed
  const reader = new YamlReader(document, new TextPositions(text, file, lines), sourceMap, limits)
  if (faults.length > 0) {
    const problems = faults.slice(0, MAX_ERRORS).map(fault => {
      const { at, message, help } = explainYamlFault(fault, text, document)
      return policyErrorAt(reader.positions.at(at), message, { help })
    })
    // after the first fault the parser only guesses; duplicate keys are certain
    const isSure = faults.every(fault => fault.code === 'DUPLICATE_KEY')
    return { value: null, problems: isSure ? problems : problems.slice(0, 1) }
  }
  if (document.contents === null) return { value: null, problems: [] }
  const value = reader.read(document.contents, 0)
  return { value, problems: reader.problems, place: reader.positions.of(document.contents) }
}

/** Reads a prebuilt tree, which has no faults. */
export function readPrebuiltTree(tree: YamlTree, text: string, file: string, sourceMap: SourceMap): YamlValue {
  const positions = new TextPositions(text, file, countLines(text))
  const at = (start: number, end: number): SourceLocation => positions.at([start, end])
  return { value: readYamlTree(tree, at, sourceMap), problems: [], place: at(tree[0], tree[1]) }
}

function countLines(text: string): LineCounter {
  const lines = new LineCounter()
  for (let start = 0; ; start = text.indexOf('\n', start) + 1) {
    lines.addNewLine(start)
    if (text.indexOf('\n', start) < 0) return lines
  }
}

class TextPositions {
  constructor(
    readonly text: string,
    readonly file: string,
    readonly lines: LineCounter,
  ) {}

  at([start, end]: readonly [number, number]): SourceLocation {
    const { line, col } = this.lines.linePos(start)
    const begin = this.lines.lineStarts[line - 1] ?? 0
    // no search for the line end: a large file may be a single line, and every value calls this
    const next = this.lines.lineStarts[line]
    const written = this.text.slice(begin, next === undefined ? undefined : next - 1)
    const excerpt = written.endsWith('\r') ? written.slice(0, -1) : written
    const length = Math.max(1, Math.min(end - start, excerpt.length - col + 1))
    return { file: this.file, line: Math.max(1, line), column: Math.max(1, col), length, excerpt }
  }

  of(node: Node | null | undefined): SourceLocation {
    return this.at(node?.range ? [node.range[0], node.range[1]] : [0, 1])
  }
}

class YamlReader {
  readonly problems: PolicyError[] = []
  #aliases = 0
  #meant: ReadonlyMap<Alias, Node> | undefined

  constructor(
    readonly document: Document.Parsed,
    readonly positions: TextPositions,
    readonly sourceMap: SourceMap,
    readonly limits: ProjectLimits | undefined,
  ) {}

  read(node: ParsedNode | Node | null, depth: number): Json {
    this.limits?.spend('values', 1)
    if (depth > MAX_DEPTH) return this.#refuse(node, 'the file is nested too deeply to be read')
    if (isAlias(node)) {
      if (++this.#aliases > MAX_ALIASES) return this.#refuse(node, 'the file uses too many aliases')
      this.#meant ??= resolveAliases(this.document)
      return this.read(this.#meant.get(node) ?? null, depth + 1)
    }
    if (isMap(node)) return this.#mapping(node, depth)
    if (isSeq(node)) return this.#list(node, depth)
    return isScalar(node) ? this.#scalar(node) : null
  }

  #mapping(node: Node & { items: readonly { key: unknown; value: unknown }[] }, depth: number): JsonObject {
    const holder: JsonObject = {}
    this.sourceMap.putSelf(holder, this.positions.of(node))
    for (const { key, value } of node.items) {
      const inner = isYamlNode(value) ? value : null
      if (!isScalar(key)) {
        this.#refuse(isYamlNode(key) ? key : node, 'a key must be a plain word')
        continue
      }
      const name = String(key.value ?? '')
      if (FORBIDDEN_KEYS.has(name)) {
        this.#refuse(key, `\`${name}\` cannot be a key`)
        continue
      }
      const location = this.positions.of(key)
      holder[name] = this.read(inner, depth + 1)
      this.sourceMap.put(holder, name, { key: location, value: inner?.range ? this.positions.of(inner) : location })
    }
    return holder
  }

  #list(node: Node & { items: readonly unknown[] }, depth: number): Json[] {
    const holder: Json[] = []
    this.sourceMap.putSelf(holder, this.positions.of(node))
    for (const [index, item] of node.items.entries()) {
      const inner = isYamlNode(item) ? item : null
      const location = this.positions.of(inner ?? node)
      holder.push(this.read(inner, depth + 1))
      this.sourceMap.put(holder, index, { key: location, value: location })
    }
    return holder
  }

  #scalar(node: Node & { value: unknown }): Json {
    const { value } = node
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
    if (typeof value === 'number' && Number.isFinite(value)) return value
    return this.#refuse(node, 'this value is not a text, a number, true or false')
  }

  #refuse(node: ParsedNode | Node | null, message: string): null {
    // an alias bomb gets one error, not one for each of its parts
    if (!this.problems.some(problem => problem.message === message))
      this.problems.push(policyErrorAt(this.positions.of(node), message))
    return null
  }
}

/** Maps each alias to the last anchor of that name before it. The library's own resolution visits the whole file for every alias. */
function resolveAliases(document: Document.Parsed): ReadonlyMap<Alias, Node> {
  const last = new Map<string, Node>()
  const meant = new Map<Alias, Node>()
  visit(document, {
    Node(_, node) {
      if (isAlias(node)) {
        const target = last.get(node.source)
        if (target) meant.set(node, target)
      } else if (node.anchor) last.set(node.anchor, node)
    },
  })
  return meant
}

const isYamlNode = (value: unknown): value is Node => isMap(value) || isSeq(value) || isScalar(value) || isAlias(value)
