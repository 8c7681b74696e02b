import { isMap, isScalar, LineCounter, type Pair, parseDocument, visit, type YAMLMap } from 'yaml'
import { readTextIfExists } from '../../lib/files.ts'
import { isObject, type JsonObject } from '../../lib/json.ts'

/** Reads a rule's `unless` from its file. Finds the rule by the line of its `when` and its id. Null: no `unless`. Undefined: not found. */
export function readWrittenUnless(file: string, line: number, id: string): JsonObject | null | undefined {
  const text = readTextIfExists(file)
  if (text === null) return undefined
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  if (document.errors.length > 0) return undefined
  const found: YAMLMap[] = []
  const isThere = (node: unknown): boolean => {
    const range = isObject(node) && Array.isArray(node.range) ? node.range : []
    return typeof range[0] === 'number' && lines.linePos(range[0]).line === line
  }
  visit(document, {
    Map(_, map) {
      const when = pairOf(map, 'when')
      if (when && (isThere(when.key) || isThere(when.value))) found.push(map)
    },
  })
  const named = found.filter(map => map.get('id') === id)
  const [rule, another] = named.length > 0 ? named : found
  if (!rule || another) return undefined
  const unless = pairOf(rule, 'unless')
  if (!unless) return null
  const value: unknown = isMap(unless.value) ? unless.value.toJS(document) : undefined
  return isObject(value) ? value : undefined
}

const pairOf = (map: YAMLMap, key: string): Pair | undefined =>
  map.items.find(pair => isScalar(pair.key) && pair.key.value === key)
