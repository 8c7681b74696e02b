import {
  ANY_STRING,
  anyCharExcept,
  anyCharOf,
  charClass,
  concatAll,
  EMPTY_STRING,
  kleeneStar,
  literal,
  type RegularLanguage,
  unionOf,
} from './regular-language.ts'

/** The language of all texts that contain a match, in lower case. Undefined: the regex uses an unsupported feature. */
export function regexLanguage(pattern: string): RegularLanguage | undefined {
  try {
    return new RegexParser(pattern.replaceAll('(?i)', '')).whole()
  } catch {
    return undefined
  }
}

class RegexParser {
  readonly #source: string
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  /** A branch matches anywhere in a text, unless it is anchored by `^` or `$`. */
  whole(): RegularLanguage {
    const branches = [this.#anchored()]
    while (this.#eat('|')) branches.push(this.#anchored())
    if (this.#at < this.#source.length) throw new Error('not understood')
    return unionOf(branches)
  }

  #anchored(): RegularLanguage {
    const begins = this.#eat('^')
    const inner = this.#sequence()
    const ends = this.#eat('$')
    return concatAll([begins ? EMPTY_STRING : ANY_STRING, inner, ends ? EMPTY_STRING : ANY_STRING])
  }

  #branches(): RegularLanguage {
    const branches = [this.#sequence()]
    while (this.#eat('|')) branches.push(this.#sequence())
    return unionOf(branches)
  }

  #sequence(): RegularLanguage {
    const parts: RegularLanguage[] = []
    while (this.#at < this.#source.length && !'|)$'.includes(this.#source[this.#at] ?? '')) parts.push(this.#repeated())
    return concatAll(parts)
  }

  #repeated(): RegularLanguage {
    const language = this.#single()
    const found = /^(?:[*+?]|\{(\d+)(,(\d*))?\})\??/.exec(this.#source.slice(this.#at))
    if (!found) return language
    this.#at += found[0].length
    const [sign, least, comma, most] = found
    if (sign.startsWith('*')) return kleeneStar(language)
    if (sign.startsWith('+')) return concatAll([language, kleeneStar(language)])
    if (sign.startsWith('?')) return unionOf([language, EMPTY_STRING])
    const [from, to] = [Number(least), comma === undefined ? Number(least) : Number(most || -1)]
    if (Math.max(from, to) > MAX_REPETITIONS) throw new Error('not understood')
    const sure = Array.from({ length: from }, () => language)
    const more = Array.from({ length: Math.max(0, to - from) }, () => unionOf([language, EMPTY_STRING]))
    return concatAll([...sure, ...(to < 0 ? [kleeneStar(language)] : more)])
  }

  #single(): RegularLanguage {
    const char = this.#source[this.#at++] ?? ''
    if (char === '(') return this.#group()
    if (char === '[') return this.#set()
    if (char === '\\') return escapeLanguage(this.#source[this.#at++] ?? '')
    if ('^*+?{'.includes(char)) throw new Error('not understood')
    return char === '.' ? anyCharExcept('\n') : caseFoldedLiteral(char)
  }

  #group(): RegularLanguage {
    const head = /^\?(?::|P?<\w+>)/.exec(this.#source.slice(this.#at))
    if (head) this.#at += head[0].length
    else if (this.#source[this.#at] === '?') throw new Error('not understood')
    const inner = this.#branches()
    if (!this.#eat(')')) throw new Error('not understood')
    return inner
  }

  #set(): RegularLanguage {
    const but = this.#eat('^')
    const ranges: (readonly [number, number])[] = []
    for (let first = true; first || this.#source[this.#at] !== ']'; first = false) {
      if (this.#at >= this.#source.length) throw new Error('not understood')
      const one = this.#inSet()
      const isRange = this.#source[this.#at] === '-' && this.#source[this.#at + 1] !== ']'
      if (isRange) this.#at++
      const to = isRange ? this.#inSet() : one
      if (typeof one === 'string' && typeof to === 'string') ranges.push([codeOf(one), codeOf(to)])
      else if (!isRange && typeof one !== 'string') ranges.push(...one)
      else throw new Error('not understood')
    }
    this.#at++
    return charClass(ranges, but)
  }

  /** A character, or the ranges of an escape such as `\d`. */
  #inSet(): string | readonly (readonly [number, number])[] {
    const char = this.#source[this.#at++] ?? ''
    if (char === '[') throw new Error('not understood')
    if (char !== '\\') return char.toLowerCase()
    const named = escapeLanguage(this.#source[this.#at++] ?? '')
    if (named.kind !== 'set' || named.but) throw new Error('not understood')
    return named.ranges
  }

  #eat(char: string): boolean {
    if (this.#source[this.#at] !== char) return false
    this.#at++
    return true
  }
}

const MAX_REPETITIONS = 40
const codeOf = (char: string): number => char.charCodeAt(0)
const caseFoldedLiteral = (char: string): RegularLanguage => literal(char.toLowerCase())

const BLANKS = ' \t\n\f\r'
const DIGIT = [[48, 57]] as const
const WORD = [...DIGIT, [97, 122], [95, 95]] as const

function escapeLanguage(char: string): RegularLanguage {
  if (char === 'd') return charClass(DIGIT)
  if (char === 'D') return charClass(DIGIT, true)
  if (char === 'w') return charClass(WORD)
  if (char === 'W') return charClass(WORD, true)
  if (char === 's') return anyCharOf(BLANKS)
  if (char === 'S') return anyCharExcept(BLANKS)
  // not supported: word boundaries, character codes, Unicode classes
  if (/[a-zA-Z0-9]/.test(char)) throw new Error('not understood')
  return caseFoldedLiteral(char)
}
