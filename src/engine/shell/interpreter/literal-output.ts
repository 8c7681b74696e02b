import type { CommandNode, HereDoc, Redirection, Word, WordPart } from 'unbash'
import { UNKNOWN_PART } from '../../match/written-text.ts'

/** The text that a command certainly prints (`echo 'rm x'`, `cat <<EOF`), or null if unknown. */
export function literalOutput(node: CommandNode): string | null {
  if (node.type !== 'Command' || node.name === undefined) return null
  const name = node.name.value
  if (name === 'cat') return heredocText(node)
  if (name !== 'echo' && name !== 'printf') return null
  const words: string[] = []
  for (const item of node.suffix) {
    const text = item.type === 'Word' ? staticText(item) : null
    if (text === null) return null
    words.push(text)
  }
  if (words[0] === '-n') words.shift()
  if ((name === 'echo' ? /^-[neE]+$/ : /^-/).test(words[0] ?? '') || words.some(word => word.includes('\\')))
    return null
  if (name === 'echo') return words.join(' ')
  if (words[0]?.includes('%')) return words.length === 2 && words[0] === '%s' ? (words[1] ?? null) : null
  return words[0] ?? null
}

type SimpleCommandNode = Extract<CommandNode, { type: 'Command' }>

function heredocText(node: SimpleCommandNode): string | null {
  const [heredoc] = node.redirects
  if (node.args.length > 0 || node.redirects.length !== 1 || heredoc?.type !== 'HereDoc') return null
  const { parts, text } = heredoc.body
  return parts === undefined || parts.every(part => part.type === 'Literal') ? text : null
}

function staticText(word: Word): string | null {
  const { parts } = word
  const fixed = parts?.every(
    part =>
      part.type === 'Literal' ||
      part.type === 'SingleQuoted' ||
      part.type === 'AnsiCQuoted' ||
      (part.type === 'DoubleQuoted' && part.parts.every(child => child.type === 'Literal')),
  )
  return fixed === false ? null : word.value
}

/** Commands that print nothing. */
const SILENT = new Set([':', 'true'])

/**
 * What a command prints, with a mark for each part that is not known: for the text of a file, where a part is better than nothing.
 * Undefined: it may print anything. `input`: the same of its standard input, if that is not redirected.
 */
export function printedText(node: CommandNode, input: string | undefined): string | undefined {
  if (node.type !== 'Command') return undefined
  const name = node.name?.value
  if (name === undefined || SILENT.has(name)) return node.suffix.some(item => item.type === 'Word') ? undefined : ''
  const words = node.suffix.flatMap(item => (item.type === 'Word' ? knownTextOf(item) : []))
  if (name === 'echo') return echoedText(words)
  if (name === 'printf') return formattedText(words)
  return name === 'cat' && words.every(word => word === '-') ? (inputText(node.redirects) ?? input) : undefined
}

/** The text that these redirections put into standard input; undefined: none, or a file. */
export function inputText(redirects: readonly Redirection[]): string | undefined {
  const last = redirects.findLast(({ operator, descriptor }) => operator.startsWith('<') && descriptor === undefined)
  if (last?.type === 'HereDoc') return bodyText(last)
  return last?.type === 'HereString' && last.target ? knownTextOf(last.target) : undefined
}

const bodyText = ({ body: { parts, text } }: HereDoc): string =>
  parts?.map(part => (part.type === 'Literal' ? part.value : UNKNOWN_PART)).join('') ?? text

const knownTextOf = ({ parts, value }: Word): string =>
  parts === undefined ? withoutWildcards(value) : parts.map(partText).join('')

function partText(part: WordPart): string {
  if (part.type === 'Literal') return withoutWildcards(part.value)
  if (part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted') return part.value
  if (part.type !== 'DoubleQuoted') return UNKNOWN_PART
  return part.parts.map(child => (child.type === 'Literal' ? child.value : UNKNOWN_PART)).join('')
}

/** Text outside quotes that the shell may replace by file names, a home folder or a list. */
const withoutWildcards = (text: string): string => (/[*?[~{]/.test(text) ? UNKNOWN_PART : text)

/** Shells disagree about backslashes in what `echo` prints. */
const withoutEscapes = (text: string): string => text.replace(/\\[\s\S]/g, UNKNOWN_PART)

function echoedText(words: readonly string[]): string {
  const from = words.findIndex(word => !/^-[neE]+$/.test(word))
  return from < 0 ? '' : withoutEscapes(words.slice(from).join(' '))
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', '\\': '\\' }
const CONVERSION = /%([-+ #0]*)([\d*.]*)([a-zA-Z%])|\\([\s\S])/g

const LONGEST_FORMATTED = 1024 * 1024

/** `printf` uses its format again until no word is left. */
function formattedText([format = '', ...words]: readonly string[]): string {
  if (format.startsWith('-')) return UNKNOWN_PART
  let text = ''
  let next = 0
  do {
    const before = next
    text += format.replace(CONVERSION, (_, flags, width, kind, escaped) => {
      if (escaped !== undefined) return ESCAPED[escaped] ?? UNKNOWN_PART
      if (kind === '%') return '%'
      const word = words[next++] ?? ''
      return kind === 's' && flags + width === '' ? word : UNKNOWN_PART
    })
    if (next === before) return text
  } while (next < words.length && text.length < LONGEST_FORMATTED)
  return next < words.length ? text + UNKNOWN_PART : text
}
