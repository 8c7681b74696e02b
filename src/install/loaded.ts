import type { Reader, Wish } from '../clients/registers.ts'
import { partAt, Unfit } from './edit.ts'
import { afterBlanks, type Part, parseJsonc } from './jsonc.ts'

/** JSON that we can read and the agent cannot: it would leave the whole file out. `at` is the place. */
export class Unloaded extends Unfit {
  constructor(
    message: string,
    readonly at: number,
    readonly help: string,
  ) {
    super(message)
  }
}

export interface Refused {
  readonly at: number
  /** after `has` */
  readonly what: string
}

/** The first thing in the text that the agent's own reader does not take. The text is such as `parseJsonc` reads. */
export function refusedIn(text: string, reads: Reader): Refused | undefined {
  if (isBlank(text)) return undefined
  // what is no JSON at all is told as that
  parseJsonc(text)
  return inLetters(text, reads) ?? inValues(text, reads)
}

/** Throws where the agent would not load it. */
export function mustLoad(text: string, reads: Reader, title: string): void {
  const refused = refusedIn(text, reads)
  if (!refused) return
  throw new Unloaded(
    `has ${refused.what}, and ${title} loads no such file`,
    refused.at,
    `${refused.what.startsWith('`') ? 'mend it' : 'take it out'} and run this again`,
  )
}

const isBlank = (text: string): boolean => text.replace(/^\ufeff/, '').trim() === ''

/** Strings are passed over; what is no blank of JSON is none of any reader's. */
const LETTERS = /"[^"\\]*(?:\\.[^"\\]*)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,|[^\S \t\r\n]/g

function inLetters(text: string, { comments, trailingCommas, byteOrderMark }: Reader): Refused | undefined {
  for (const { 0: found, index: at } of text.matchAll(LETTERS)) {
    if (found.startsWith('"')) continue
    if (found.startsWith('/')) {
      if (!comments) return { at, what: 'a comment' }
    } else if (found === ',') {
      if (!trailingCommas && /[\]}]/.test(text[afterBlanks(text, at + 1)] ?? ''))
        return { at, what: 'a trailing comma' }
    } else if (found === '\ufeff' && at === 0) {
      if (!byteOrderMark) return { at, what: 'a byte order mark' }
    } else return { at, what: 'a blank that JSON does not know' }
  }
  return undefined
}

function inValues(text: string, { wants = {} }: Reader): Refused | undefined {
  const root = parseJsonc(text)
  for (const [path, wish] of Object.entries(wants)) {
    const part = partAt(root, path.split('.'))
    if (part && !isAsWished(part, wish)) return { at: part.from, what: `\`${path}\` that is ${WORDS(wish)}` }
  }
  return undefined
}

const WORDS = (wish: Wish): string =>
  typeof wish === 'string'
    ? wish === 'switch'
      ? 'neither true nor false'
      : `no ${wish}`
    : `none of ${wish.join(', ')}`

function isAsWished(part: Part, wish: Wish): boolean {
  if (part.kind !== 'leaf') return part.kind === wish
  // what it makes of null nobody has tried
  if (part.value === null) return true
  if (typeof wish !== 'string') return wish.includes(String(part.value))
  return typeof part.value === (wish === 'text' ? 'string' : wish === 'switch' ? 'boolean' : wish)
}
