import { type Document, isCollection, isNode, visit } from 'yaml'

export interface YamlFault {
  readonly code: string
  readonly message: string
  readonly pos: readonly [number, number]
}

/** A parser fault with the position that the person has to correct. */
export interface YamlErrorReport {
  readonly at: readonly [number, number]
  readonly message: string
  readonly help?: string | undefined
}

/** The parser reports the position where it failed, in its own words. The actual mistake can be before or after that position. */
export function explainYamlFault(fault: YamlFault, text: string, document: Document.Parsed): YamlErrorReport {
  const { code, message, pos } = fault
  const [start] = pos
  const open = /end with an? [}\]]$|^Missing closing/.test(message) ? findUnclosed(document, start) : undefined
  if (open !== undefined) {
    const sign = text.charAt(open)
    const what = `\`${sign}\` is not closed`
    return { at: [open, open + 1], message: what, help: `a \`${CLOSING[sign] ?? sign}\` is missing at the end` }
  }
  const at = code === 'BAD_INDENT' || code === 'MISSING_CHAR' ? firstContentPosition(text, pos) : pos
  return { at, message: plainMessage(fault, text), help: helpForFault(fault, lineAt(text, start), text.slice(start)) }
}

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']' }

/** Finds the start of the node that ends at `end` without its closing sign. */
function findUnclosed(document: Document.Parsed, end: number): number | undefined {
  let found: number | undefined
  visit(document, {
    Node(_, node) {
      if (isNode(node) && node.range?.[1] === end && (!isCollection(node) || node.flow)) found ??= node.range[0]
    },
  })
  return found
}

/** Skips blank lines and comments: the fault is never in them. */
function firstContentPosition(text: string, pos: readonly [number, number]): readonly [number, number] {
  const [skipped = ''] = /^(?:\s|#.*)*/.exec(text.slice(pos[0])) ?? []
  const start = pos[0] + skipped.length
  return skipped === '' || start >= text.length ? pos : [start, start + 1]
}

const lineAt = (text: string, at: number): string =>
  text.slice(text.lastIndexOf('\n', at - 1) + 1).split('\n', 1)[0] ?? ''

/** Suggests a correction, mostly quoting a text that contains YAML syntax. */
function helpForFault({ code, message }: YamlFault, line: string, rest: string): string | undefined {
  if (code === 'DUPLICATE_KEY') return 'remove one of them, or rename it'
  if (code === 'BAD_SCALAR_START')
    return `put the text in quotes: in YAML it cannot start with \`${message.at(-1)}\``.replace('```', 'a backtick')
  if (/^(BLOCK_AS_IMPLICIT_KEY|BLOCK_IN_FLOW)$/.test(code) && /^[^\s{[][^\n]*: /.test(rest))
    return 'put the text in quotes: in YAML a colon and a space start a mapping'
  if (/:\s+[{[][^}\]]*[}\]]\s*\S/.test(line) && code !== 'BAD_INDENT')
    return 'put the text in quotes: in YAML a brace at the start is a mapping'
  if (/must start at the same column|without - indicator/.test(message))
    return 'indent it like the lines that it belongs to'
  return undefined
}

const PLAIN_MESSAGES: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'a tab is used as indentation: use spaces',
  MULTIPLE_DOCS: 'only one document (no `---`) can be in this file',
  BAD_ALIAS: 'this alias has no anchor',
}

/** The parser's messages start with a capital letter and can have several lines. */
function plainMessage({ code, message, pos }: YamlFault, text: string): string {
  if (code === 'DUPLICATE_KEY') return `key \`${/^[^\s:]*/.exec(text.slice(pos[0]))?.[0]}\` is written twice`
  const line = message.split('\n', 1)[0] ?? message
  return PLAIN_MESSAGES[code] ?? line.charAt(0).toLowerCase() + line.slice(1).replace(/\.$/, '')
}
