import { findNodeAtOffset, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'

/** Syntax tree of JSON with comments, trailing commas and a byte order mark. Each node has its source range. */
export type JsoncNode = JsoncScalar | JsoncArray | JsoncObject
interface SourceRange {
  readonly from: number
  readonly to: number
}
export interface JsoncScalar extends SourceRange {
  readonly kind: 'leaf'
  readonly value: string | number | boolean | null
}
export interface JsoncArray extends SourceRange {
  readonly kind: 'list'
  readonly items: readonly JsoncNode[]
}
export interface JsoncObject extends SourceRange {
  readonly kind: 'table'
  readonly members: readonly JsoncMember[]
}
export interface JsoncMember extends SourceRange {
  readonly key: string
  readonly value: JsoncNode
}

/** The text is not valid JSONC; `at` is the offset. */
export class JsoncSyntaxError extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message)
  }
}

const MAX_DEPTH = 200

/** What is wrong, by the parser's name for it. */
const PROBLEMS: Readonly<Record<string, string>> = {
  PropertyNameExpected: 'a key in double quotes is missing',
  ColonExpected: '`:` is missing',
  CloseBraceExpected: 'the end is missing',
  CloseBracketExpected: 'the end is missing',
  EndOfFileExpected: 'text after the end',
  UnexpectedEndOfComment: 'a comment that does not end',
  UnexpectedEndOfString: 'a string that does not end',
  InvalidUnicode: 'a string with a wrong escape in it',
  InvalidEscapeCharacter: 'a string with a wrong escape in it',
  InvalidCharacter: 'a string with a control character in it',
}

/** The last parsed text: one edit parses the same text many times. */
let lastParsed: { readonly text: string; readonly part: JsoncNode } | undefined

export function parseJsonc(text: string): JsoncNode {
  if (lastParsed?.text !== text) lastParsed = { text, part: parseText(text) }
  return lastParsed.part
}

function parseText(text: string): JsoncNode {
  const errors: ParseError[] = []
  const root = parseTree(withPlainBlanks(text), errors, { allowTrailingComma: true })
  if (errors.length > 0 || !root) throw syntaxError(errors, root, text.length)
  return toJsoncNode(root, 0)
}

/** The place is the first error's. A symbol that JSON does not have is explained by the error that follows it there. */
function syntaxError([first, second]: readonly ParseError[], root: Node | undefined, end: number): JsoncSyntaxError {
  const names = [first, second].map(item => (item ? printParseErrorCode(item.error) : ''))
  const at = first?.offset ?? end
  if (names[0] === 'CommaExpected' && root) {
    const near = findNodeAtOffset(root, at, true)?.parent
    return new JsoncSyntaxError(`\`,\` or \`${near?.type === 'array' ? ']' : '}'}\` is missing`, at)
  }
  const name = names[0] === 'InvalidSymbol' ? names[1] : names[0]
  return new JsoncSyntaxError(PROBLEMS[name ?? ''] ?? (at < end ? 'no JSON' : 'the end is missing'), at)
}

const STRING_COMMENT_OR_BLANK = /"[^"\\]*(?:\\.[^"\\]*)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|[^\S \t\r\n]/g

/** A byte order mark and other blanks that JSON does not know become spaces: whether the agent reads them is another question. */
const withPlainBlanks = (text: string): string =>
  text.replace(STRING_COMMENT_OR_BLANK, found => (/^\s$/.test(found) ? ' ' : found))

function toJsoncNode(node: Node, depth: number): JsoncNode {
  const { type, offset: from, length, children = [] } = node
  if (depth > MAX_DEPTH) throw new JsoncSyntaxError('too deep', from)
  const range = { from, to: from + length }
  if (type === 'array') return { kind: 'list', ...range, items: children.map(item => toJsoncNode(item, depth + 1)) }
  if (type !== 'object') return { kind: 'leaf', ...range, value: node.value }
  const members = children.flatMap(({ offset, length: own, children: [key, value] = [] }) =>
    key && value ? { key: key.value, value: toJsoncNode(value, depth + 1), from: offset, to: offset + own } : [],
  )
  return { kind: 'table', ...range, members }
}

const BLANKS = /\s*(?:(?:\/\/[^\n]*|\/\*[\s\S]*?\*\/)\s*)*/y

/** The offset after whitespace and comments. */
export function skipBlanks(text: string, at: number): number {
  BLANKS.lastIndex = at
  return at + (BLANKS.exec(text)?.[0].length ?? 0)
}

/** The node as a plain value. */
export function nodeValue(part: JsoncNode): unknown {
  if (part.kind === 'leaf') return part.value
  if (part.kind === 'list') return part.items.map(nodeValue)
  return Object.fromEntries(part.members.map(({ key, value }) => [key, nodeValue(value)]))
}

const STRING_OR_COMMENT = /"(?:[^"\\]|\\.)*"|\/\/([^\r\n]*)|\/\*([\s\S]*?)\*\//g

/** The text of every comment, in order. */
export const commentsOf = (text: string): readonly string[] =>
  [...text.matchAll(STRING_OR_COMMENT)].flatMap(([, line, block]) => (line ?? block ?? '').trim() || [])
