import type { Json } from '../../../lib/json.ts'
import { type JsoncArray, type JsoncNode, type JsoncObject, parseJsonc, skipBlanks } from './jsonc.ts'

/** Why a file is not changed; the text follows its name. */
export class UnfitFileError extends Error {}

/**
 * Appends `item` to the list at `path`, and creates missing parents. All other bytes stay as they are: comments, order,
 * indentation, line ends.
 */
export function appendItem(text: string, path: readonly string[], item: Json): string {
  if (text.replace(/^\ufeff/, '').trim() === '')
    return `${text}${formatJson(nestInPath(path, item), detectStyle(''))}\n`
  const root = parseJsonc(text)
  let part: JsoncNode = root
  for (const [depth, key] of path.entries()) {
    if (part.kind !== 'table')
      throw new UnfitFileError(
        `has no object at ${depth === 0 ? 'the top level' : `\`${path.slice(0, depth).join('.')}\``}`,
      )
    const found = memberNodeOf(part, key, path.slice(0, depth + 1))
    if (!found) return insertChild(text, part, { key, value: nestInPath(path.slice(depth + 1), item) })
    part = found
  }
  if (part.kind !== 'list') throw new UnfitFileError(`has no list at \`${path.join('.')}\``)
  return insertChild(text, part, { value: item })
}

/** Replaces one node by another value. */
export function replaceNode(text: string, part: JsoncNode, value: Json): string {
  const isSpread = text.slice(part.from, part.to).includes('\n')
  const words = isSpread
    ? formatJson(value, detectStyle(text)).replaceAll('\n', `\n${indentAt(text, part.from)}`)
    : formatInline(value)
  return text.slice(0, part.from) + words + text.slice(part.to)
}

/** Removes the items of the list at `path` that match `isOurs`, and the parents that become empty. */
export function removeItems(text: string, path: JsonPath, isOurs: (item: JsoncNode) => boolean): string {
  let rest = text
  for (;;) {
    const list = nodeAt(parseJsonc(rest), path)
    if (list?.kind !== 'list') return rest
    const at = list.items.findIndex(isOurs)
    if (at < 0) return rest
    rest = list.items.length === 1 ? removeWithEmptyParents(rest, path) : removeChild(rest, list, at)
  }
}

/** Removes only the node at `path`. */
export function removeAt(text: string, path: JsonPath): string {
  const parent = nodeAt(parseJsonc(text), path.slice(0, -1))
  if (!parent || parent.kind === 'leaf') return text
  const key = path.at(-1)
  return removeChild(
    text,
    parent,
    parent.kind === 'list' ? Number(key) : parent.members.findIndex(member => member.key === key),
  )
}

/** Sets a value at `path`; creates missing tables, and replaces other values on the way. */
export function setAt(text: string, path: readonly string[], value: Json): string {
  const root = parseJsonc(text)
  const at = path.findIndex((_, depth) => nodeAt(root, path.slice(0, depth + 1)) === undefined)
  const whole = nodeAt(root, path)
  if (whole) return replaceNode(text, whole, value)
  const parent = nodeAt(root, path.slice(0, at))
  const inner = path.slice(at + 1).reduceRight<Json>((sum, name) => ({ [name]: sum }), value)
  if (parent?.kind === 'table') return insertChild(text, parent, { key: path[at] ?? '', value: inner })
  return parent && at > 0 ? replaceNode(text, parent, { [path[at] ?? '']: inner }) : text
}

/** Keys of tables and indexes of lists. */
export type JsonPath = readonly (string | number)[]

export function nodeAt(root: JsoncNode, path: JsonPath): JsoncNode | undefined {
  let part: JsoncNode | undefined = root
  for (const key of path) part = part && childNodeAt(part, key)
  return part
}

const childNodeAt = (part: JsoncNode, key: string | number): JsoncNode | undefined => {
  if (part.kind === 'list') return typeof key === 'number' ? part.items[key] : undefined
  return part.kind === 'table' ? part.members.find(member => member.key === key)?.value : undefined
}

/** Removes the list with its last item, and the parent tables that contain nothing else. */
function removeWithEmptyParents(text: string, path: JsonPath): string {
  const key = path.at(-1) ?? ''
  const parent = nodeAt(parseJsonc(text), path.slice(0, -1))
  if (!parent || parent.kind === 'leaf') return text
  if (childrenOf(parent).length === 1 && path.length > 1) return removeWithEmptyParents(text, path.slice(0, -1))
  const at = parent.kind === 'table' ? parent.members.findIndex(member => member.key === key) : Number(key)
  return removeChild(text, parent, at)
}

/** Removes one child with its comma and whitespace. */
function removeChild(text: string, parent: JsoncArray | JsoncObject, at: number): string {
  const children = childrenOf(parent)
  const child = children[at]
  if (!child) return text
  const before = children[at - 1]
  const next = afterComma(text, child.to)
  // removing the last child also removes the comma before it; a trailing comma stays if the file had one
  if (before && at === children.length - 1) {
    const comma = text.indexOf(',', skipBlanks(text, before.to))
    const trailing = next > child.to && text[next - 1] === ','
    return text.slice(0, trailing ? comma + 1 : before.to) + text.slice(trailing ? next : child.to)
  }
  const from = before ? afterComma(text, before.to) : parent.from + 1
  return text.slice(0, from) + text.slice(next)
}

const childrenOf = (parent: JsoncArray | JsoncObject) => (parent.kind === 'list' ? parent.items : parent.members)

/** The offset after the following comma, if there is one. */
function afterComma(text: string, at: number): number {
  const next = skipBlanks(text, at)
  return text[next] === ',' ? next + 1 : at
}

const nestInPath = (path: readonly string[], item: Json): Json =>
  path.length === 0 ? [item] : { [path[0] ?? '']: nestInPath(path.slice(1), item) }

function memberNodeOf(table: JsoncObject, key: string, path: readonly string[]): JsoncNode | undefined {
  const found = table.members.filter(member => member.key === key)
  if (found.length > 1) throw new UnfitFileError(`has \`${path.join('.')}\` twice`)
  return found[0]?.value
}

interface JsonStyle {
  readonly unit: string
  readonly end: string
}

/** The file's indentation (from its first indented line) and line ends. */
const detectStyle = (text: string): JsonStyle => ({
  unit: /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ',
  end: text.includes('\r\n') ? '\r\n' : '\n',
})

/** Adds a child after the last one. */
function insertChild(
  text: string,
  parent: JsoncArray | JsoncObject,
  child: { readonly key?: string; readonly value: Json },
): string {
  const { unit, end } = detectStyle(text)
  const last = childrenOf(parent).at(-1)
  const isSpread = !last || text.slice(parent.from, last.from).includes('\n')
  const key = child.key === undefined ? '' : `${JSON.stringify(child.key)}: `
  if (!isSpread && last) {
    const next = afterComma(text, last.to)
    const comma = next > last.to ? ' ' : ', '
    return `${text.slice(0, next)}${comma}${key}${formatInline(child.value)}${text.slice(next)}`
  }
  const indent = last ? indentAt(text, last.from) : `${indentAt(text, parent.from)}${unit}`
  const words = `${indent}${key}${formatJson(child.value, { unit, end }).replaceAll('\n', `\n${indent}`)}`
  if (!last) {
    const close = `${end}${indentAt(text, parent.from)}`
    const inside = text.slice(parent.from + 1, parent.to - 1).trimEnd()
    return `${text.slice(0, parent.from + 1)}${inside}${end}${words}${close}${text.slice(parent.to - 1)}`
  }
  const next = afterComma(text, last.to)
  const hasComma = next > last.to
  // a comment on the last child's line stays there
  const rest = /^(?:[ \t]*\/\*[^\r\n]*?\*\/)*[ \t]*(?:\/\/[^\r\n]*)?/.exec(text.slice(next))?.[0] ?? ''
  const trailing = text.slice(next, next + rest.trimEnd().length)
  return `${text.slice(0, next)}${hasComma ? '' : ','}${trailing}${end}${words}${hasComma ? ',' : ''}${text.slice(next + trailing.length)}`
}

/** The indentation of the line. */
const indentAt = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1, at))?.[0] ?? ''

const formatJson = (value: Json, { unit, end }: JsonStyle): string =>
  JSON.stringify(value, null, unit).replaceAll('\n', end)

/** Formats on one line, node by node, so that the content of strings is never changed. */
function formatInline(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(formatInline).join(', ')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${formatInline(one)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}
