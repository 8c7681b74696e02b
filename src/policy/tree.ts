import { type Document, isAlias, isMap, isNode, isScalar, isSeq, type Node } from 'yaml'
import { isObject, type Json, type JsonObject } from '../pattern/index.ts'
import type { Places } from './places.ts'
import type { Place } from './problem.ts'

type Leaf = null | string | number | boolean
/** key, and value if there is one */
type Pair = readonly [start: number, end: number, name: string, value: Tree | null]

/** A document without a fault, as plain values that can be kept: each with where it was written. */
export type Tree = readonly [start: number, end: number, value: Value]
/** `alias`: what is meant, as it stands where it is named */
type Value = { leaf: Leaf } | { list: Tree[] } | { map: Pair[] } | { alias: Tree }

/** Null where something in it is not plain: that has to be read as it is, and told. */
export function treeOf(document: Document.Parsed): Tree | null {
  if (document.errors.length > 0 || document.warnings.length > 0 || document.contents === null) return null
  try {
    return grown(document.contents, document)
  } catch (error) {
    if (error instanceof NotPlain) return null
    throw error
  }
}

class NotPlain extends Error {}

function grown(node: Node, document: Document.Parsed): Tree {
  const [start, end] = rangeOf(node)
  if (isAlias(node)) {
    const meant = node.resolve(document)
    if (!meant) throw new NotPlain()
    return [start, end, { alias: grown(meant, document) }]
  }
  if (isMap(node)) return [start, end, { map: node.items.map(({ key, value }) => pairOf(key, value, document)) }]
  if (isSeq(node)) return [start, end, { list: node.items.map(item => grown(plain(item), document)) }]
  return [start, end, { leaf: leafOf(node) }]
}

function pairOf(key: unknown, value: unknown, document: Document.Parsed): Pair {
  const name = plain(key)
  const word = leafOf(name)
  if (typeof word !== 'string') throw new NotPlain()
  return [...rangeOf(name), word, isNode(value) ? grown(value, document) : null]
}

function plain(value: unknown): Node {
  if (!isNode(value)) throw new NotPlain()
  return value
}

function leafOf(node: Node): Leaf {
  const value = isScalar(node) ? node.value : undefined
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw new NotPlain()
}

function rangeOf(node: Node): readonly [number, number] {
  if (!node.range) throw new NotPlain()
  return [node.range[0], node.range[1]]
}

/** As plain values, the places beside them: the same that reading the text would give. */
export function readTree([start, end, value]: Tree, at: (start: number, end: number) => Place, places: Places): Json {
  if ('leaf' in value) return value.leaf
  if ('alias' in value) return readTree(value.alias, at, places)
  const holder: JsonObject | Json[] = 'map' in value ? {} : []
  places.putSelf(holder, at(start, end))
  if (isObject(holder) && 'map' in value) {
    for (const [from, to, name, inner] of value.map) {
      const key = at(from, to)
      holder[name] = inner && readTree(inner, at, places)
      places.put(holder, name, { key, value: inner ? at(inner[0], inner[1]) : key })
    }
  } else if (Array.isArray(holder) && 'list' in value) {
    for (const [index, item] of value.list.entries()) {
      const place = at(item[0], item[1])
      holder.push(readTree(item, at, places))
      places.put(holder, index, { key: place, value: place })
    }
  }
  return holder
}
