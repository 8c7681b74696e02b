import { type Document, isAlias, isMap, isNode, isScalar, isSeq, type Node } from 'yaml'
import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import type { SourceLocation } from './policy-error.ts'
import type { SourceMap } from './source-map.ts'

type YamlScalar = null | string | number | boolean
/** a key, and its value if it has one */
type YamlPair = readonly [start: number, end: number, name: string, value: YamlTree | null]

/** A faultless YAML document as serialisable values, each with its position in the text. */
export type YamlTree = readonly [start: number, end: number, value: YamlNode]
/** `alias`: the tree of the node that the alias refers to */
type YamlNode = { leaf: YamlScalar } | { list: YamlTree[] } | { map: YamlPair[] } | { alias: YamlTree }

/** Returns null if the document has faults or unsupported nodes: it must then be parsed normally, which reports them. */
export function toYamlTree(document: Document.Parsed): YamlTree | null {
  if (document.errors.length > 0 || document.warnings.length > 0 || document.contents === null) return null
  try {
    return treeOfNode(document.contents, document)
  } catch (error) {
    if (error instanceof UnsupportedNode) return null
    throw error
  }
}

class UnsupportedNode extends Error {}

function treeOfNode(node: Node, document: Document.Parsed): YamlTree {
  const [start, end] = nodeRange(node)
  if (isAlias(node)) {
    const meant = node.resolve(document)
    if (!meant) throw new UnsupportedNode()
    return [start, end, { alias: treeOfNode(meant, document) }]
  }
  if (isMap(node)) return [start, end, { map: node.items.map(({ key, value }) => toYamlPair(key, value, document)) }]
  if (isSeq(node)) return [start, end, { list: node.items.map(item => treeOfNode(assertNode(item), document)) }]
  return [start, end, { leaf: scalarOf(node) }]
}

function toYamlPair(key: unknown, value: unknown, document: Document.Parsed): YamlPair {
  const name = assertNode(key)
  const word = scalarOf(name)
  if (typeof word !== 'string') throw new UnsupportedNode()
  return [...nodeRange(name), word, isNode(value) ? treeOfNode(value, document) : null]
}

function assertNode(value: unknown): Node {
  if (!isNode(value)) throw new UnsupportedNode()
  return value
}

function scalarOf(node: Node): YamlScalar {
  const value = isScalar(node) ? node.value : undefined
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw new UnsupportedNode()
}

function nodeRange(node: Node): readonly [number, number] {
  if (!node.range) throw new UnsupportedNode()
  return [node.range[0], node.range[1]]
}

/** Returns plain values and fills `sourceMap`, exactly as parsing the text would. */
export function readYamlTree(
  [start, end, value]: YamlTree,
  at: (start: number, end: number) => SourceLocation,
  sourceMap: SourceMap,
): Json {
  if ('leaf' in value) return value.leaf
  if ('alias' in value) return readYamlTree(value.alias, at, sourceMap)
  const holder: JsonObject | Json[] = 'map' in value ? {} : []
  sourceMap.putSelf(holder, at(start, end))
  if (isObject(holder) && 'map' in value) {
    for (const [from, to, name, inner] of value.map) {
      const key = at(from, to)
      holder[name] = inner && readYamlTree(inner, at, sourceMap)
      sourceMap.put(holder, name, { key, value: inner ? at(inner[0], inner[1]) : key })
    }
  } else if (Array.isArray(holder) && 'list' in value) {
    for (const [index, item] of value.list.entries()) {
      const location = at(item[0], item[1])
      holder.push(readYamlTree(item, at, sourceMap))
      sourceMap.put(holder, index, { key: location, value: location })
    }
  }
  return holder
}
