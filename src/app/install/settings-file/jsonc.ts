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
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const STRING = /"(?:[^"\\\n\r]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const LITERALS = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
])

/** The last parsed text: one edit parses the same text many times. */
let lastParsed: { readonly text: string; readonly part: JsoncNode } | undefined

export function parseJsonc(text: string): JsoncNode {
  if (lastParsed?.text !== text) lastParsed = { text, part: new JsoncReader(text).whole() }
  return lastParsed.part
}

class JsoncReader {
  private at = 0

  constructor(private readonly text: string) {}

  whole(): JsoncNode {
    if (this.text.startsWith('\ufeff')) this.at = 1
    this.blanks()
    const part = this.part(0)
    this.blanks()
    if (this.at < this.text.length) throw this.problem('text after the end')
    return part
  }

  private part(depth: number): JsoncNode {
    if (depth > MAX_DEPTH) throw this.problem('too deep')
    const char = this.text[this.at]
    if (char === '{') return this.table(depth)
    if (char === '[') return this.list(depth)
    const from = this.at
    const value = char === '"' ? this.string() : this.word()
    return { kind: 'leaf', from, to: this.at, value }
  }

  private table(depth: number): JsoncObject {
    const from = this.at++
    const members: JsoncMember[] = []
    while (!this.closes('}')) {
      const start = this.at
      if (this.text[start] !== '"') throw this.problem('a key in double quotes is missing')
      const key = this.string()
      this.blanks()
      if (this.text[this.at] !== ':') throw this.problem('`:` is missing')
      this.at++
      this.blanks()
      const value = this.part(depth + 1)
      members.push({ key, value, from: start, to: this.at })
      this.separator('}')
    }
    return { kind: 'table', from, to: this.at, members }
  }

  private list(depth: number): JsoncArray {
    const from = this.at++
    const items: JsoncNode[] = []
    while (!this.closes(']')) {
      items.push(this.part(depth + 1))
      this.separator(']')
    }
    return { kind: 'list', from, to: this.at, items }
  }

  private string(): string {
    STRING.lastIndex = this.at
    const found = STRING.exec(this.text)?.[0]
    if (found === undefined) throw this.problem('a string that does not end')
    this.at += found.length
    try {
      return JSON.parse(found)
    } catch {
      throw this.problem('a string with a control character in it')
    }
  }

  private word(): number | boolean | null {
    NUMBER.lastIndex = this.at
    const found = NUMBER.exec(this.text)?.[0] ?? /^[A-Za-z]+/.exec(this.text.slice(this.at, this.at + 10))?.[0] ?? ''
    const value = LITERALS.get(found) ?? (found === 'null' ? null : found === '' ? Number.NaN : Number(found))
    if (Number.isNaN(value)) throw this.problem(this.at < this.text.length ? 'no JSON' : 'the end is missing')
    this.at += found.length
    return value
  }

  private closes(bracket: string): boolean {
    this.blanks()
    if (this.text[this.at] !== bracket) return false
    this.at++
    return true
  }

  /** A comma, which may also come before the closing bracket. */
  private separator(bracket: string): void {
    this.blanks()
    if (this.text[this.at] === ',') this.at++
    else if (this.text[this.at] !== bracket) throw this.problem(`\`,\` or \`${bracket}\` is missing`)
  }

  private blanks(): void {
    this.at = skipBlanks(this.text, this.at)
  }

  private problem(message: string): JsoncSyntaxError {
    return new JsoncSyntaxError(message, this.at)
  }
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
