import type { CommandNode, HereDoc, Redirection, Word, WordPart } from 'unbash'
import { UNKNOWN_PART } from '../../match/written-text.ts'
import type { Action } from '../../model/event.ts'

/** The text that a command certainly prints (`echo 'rm x'`, `cat <<EOF`, `base64 -d` behind such a command), or null if unknown. */
export function literalOutput(node: CommandNode, stdin?: string | null): string | null {
  if (node.type !== 'Command' || node.name === undefined) return null
  const name = node.name.value
  if (name === 'cat') return heredocText(node)
  const decode = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined
  if (decode !== undefined) {
    const input = node.redirects.length === 0 ? stdin : hereStringText(node)
    const words = node.args.map(item => (item.type === 'Word' ? staticText(item) : null)).join(' ')
    return typeof input === 'string' ? decode(input, words) : null
  }
  if (name !== 'echo' && name !== 'printf') return null
  const words: string[] = []
  for (const item of node.suffix) {
    const text = item.type === 'Word' ? staticText(item) : null
    if (text === null) return null
    words.push(text)
  }
  return name === 'printf' ? printfText(words) : echoText(words)
}

function echoText(words: string[]): string | null {
  if (words[0] === '-n') words.shift()
  if (/^-[neE]+$/.test(words[0] ?? '') || words.some(word => word.includes('\\'))) return null
  return words.join(' ')
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', "'": "'", '"': '"' }
const MAX_ROUNDS = 256

/** Null for a format with a width, or with an escape that shells read differently. */
function printfText([format = '', ...values]: readonly string[]): string | null {
  if (format.startsWith('-')) return null
  const parts = format.match(/%[sb%]|\\(?:x[\da-fA-F]{2}|[ntr\\'"])|[^%\\]+/g) ?? []
  if (parts.join('') !== format) return null
  const taken = parts.filter(part => part === '%s' || part === '%b').length
  if (values.some(value => value.includes('\\')) || values.length > MAX_ROUNDS) return null
  const rounds = taken === 0 ? 1 : Math.max(1, Math.ceil(values.length / taken))
  let at = 0
  const textOf = (part: string): string => {
    if (part === '%%') return '%'
    if (part.startsWith('%')) return values[at++] ?? ''
    if (part.startsWith('\\x')) return String.fromCharCode(Number.parseInt(part.slice(2), 16))
    return part.startsWith('\\') ? (ESCAPES[part.slice(1)] ?? part) : part
  }
  return Array.from({ length: rounds }, () => parts.map(textOf).join('')).join('')
}

/** Programs that print their input in another form. `words`: what follows the name. */
const DECODERS: Readonly<Record<string, (input: string, words: string) => string | null>> = {
  base64: (input, words) => (/^(?:-d|-D|--decode)$/.test(words) ? decodedBase64(input) : null),
  rev: (input, words) => (words === '' ? input.split('\n').map(reversed).join('\n') : null),
}

/** Every JavaScript engine has it. It throws for a text that is no base64. */
declare const atob: (text: string) => string

const reversed = (line: string): string => [...line].reverse().join('')

function decodedBase64(input: string): string | null {
  const text = input.replace(/\s/g, '')
  if (text.length > 65_536 || !/^[A-Za-z\d+/]*={0,2}$/.test(text)) return null
  try {
    const decoded = atob(text)
    return /^[\t\n\r -~]*$/.test(decoded) ? decoded : null
  } catch {
    return null
  }
}

type SimpleCommandNode = Extract<CommandNode, { type: 'Command' }>

function hereStringText({ redirects }: SimpleCommandNode): string | null {
  const [only] = redirects
  const isOnly = redirects.length === 1 && only?.type === 'HereString'
  return isOnly && only.target !== undefined ? staticText(only.target) : null
}

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

/** Programs that put no text into the files they write. */
const WRITE_NO_TEXT = new Set('touch mkdir chmod chown chgrp'.split(' '))

export function withWrittenText(act: Action, program: string, input: string | undefined): Action {
  const text = program === 'tee' ? input : WRITE_NO_TEXT.has(program) ? '' : undefined
  return text === undefined || act.action !== 'write' ? act : { ...act, text }
}
