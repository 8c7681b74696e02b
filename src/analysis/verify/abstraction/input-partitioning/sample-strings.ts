import { isRest, type Regex, type TextPattern, type UrlPattern, type WordPattern } from '../../../../engine/index.ts'
import { fillStars } from './sample-words.ts'

/** A short text that the regex matches, or undefined. Each text is verified with the real regex engine. */
export function sampleRegexMatch(pattern: string, regex: Regex): string | undefined {
  try {
    const text = new RegexSampler(pattern.replace(/^\(\?[a-z]+\)/, '')).whole()
    return regex.search(pattern, text) ? text : undefined
  } catch {
    return undefined
  }
}

export function sampleText(pattern: TextPattern, regex: Regex): string | undefined {
  if ('regex' in pattern) return sampleRegexMatch(pattern.regex, regex)
  return 'has' in pattern ? pattern.has || 'x' : pattern.is
}

/** A word of a command that the pattern matches. */
export const sampleWord = (pattern: WordPattern, regex: Regex): string | undefined =>
  'regex' in pattern ? sampleRegexMatch(pattern.regex, regex) : fillStars(pattern.like)

/** A URL that the pattern matches. */
export function sampleUrl(pattern: UrlPattern, regex: Regex): string | undefined {
  if ('regex' in pattern) return sampleRegexMatch(pattern.regex, regex)
  const { scheme = 'https', host, segments } = pattern.template
  const named = segments.map(segment => {
    const classes = /^:\w+\((.*)\)$/.exec(segment)?.[1]
    if (classes !== undefined) return sampleRegexMatch(`^(?:${classes})$`, regex)
    return segment.startsWith(':') || isRest(segment) ? 'some' : segment.replaceAll('*', 'some')
  })
  if (named.includes(undefined)) return undefined
  return [`${scheme}://${host.replace(/^\*(?=\.|$)/, host === '*' ? 'some.example' : 'some')}`, ...named].join('/')
}

/** A path that the glob matches: each wildcard becomes a short name, each choice its first alternative. */
export const samplePath = (glob: string): string => {
  let text = glob
  for (let round = 0; round < 6; round++) text = text.replace(/\{([^{},]*),[^{}]*\}/, '$1')
  return text.replace(/\*+/g, 'some').replaceAll('?', 'x')
}

/** Builds one text from a regex: the first branch, each repetition as few times as possible. */
class RegexSampler {
  readonly #source: string
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  whole(): string {
    const text = this.#branches()
    if (this.#at < this.#source.length) throw new Error('not understood')
    return text
  }

  #branches(): string {
    const first = this.#sequence()
    let text = first
    while (this.#source[this.#at] === '|') {
      this.#at++
      const other = this.#sequence()
      // prefer a branch that is not empty
      if (text === '') text = other
    }
    return text
  }

  #sequence(): string {
    let text = ''
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at] ?? '')) text += this.#repeated()
    return text
  }

  #repeated(): string {
    const one = this.#single()
    const found = /^(?:[*?]|\+|\{(\d+)(?:,\d*)?\})\??/.exec(this.#source.slice(this.#at))
    if (!found) return one
    this.#at += found[0].length
    if (found[1] !== undefined) return one.repeat(Number(found[1]))
    return found[0].startsWith('+') ? one : ''
  }

  #single(): string {
    const char = this.#source[this.#at++] ?? ''
    if (char === '(') return this.#group()
    if (char === '[') return this.#set()
    if (char === '\\') return this.#escape()
    if (char === '^' || char === '$') return ''
    return char === '.' ? 'x' : char
  }

  #group(): string {
    const head = /^\?(?::|P?<\w+>|[a-z]+:)/.exec(this.#source.slice(this.#at))
    if (head) this.#at += head[0].length
    else if (this.#source[this.#at] === '?') throw new Error('not understood')
    const text = this.#branches()
    if (this.#source[this.#at++] !== ')') throw new Error('not understood')
    return text
  }

  #set(): string {
    const end = this.#source.indexOf(']', this.#at + (/^\^?\]/.test(this.#source.slice(this.#at)) ? 2 : 1))
    if (end < 0) throw new Error('not understood')
    const inner = this.#source.slice(this.#at, end)
    this.#at = end + 1
    if (!inner.startsWith('^')) return inner.startsWith('\\') ? sampleEscape(inner[1] ?? '') : (inner[0] ?? '')
    const native = new RegExp(`[${inner}]`)
    const free = ['x', '1', '-', ' ', 'Z'].find(one => native.test(one))
    if (free === undefined) throw new Error('not understood')
    return free
  }

  #escape(): string {
    return sampleEscape(this.#source[this.#at++] ?? '')
  }
}

function sampleEscape(char: string): string {
  const known: Readonly<Record<string, string>> = {
    d: '1',
    w: 'x',
    s: ' ',
    S: 'x',
    D: 'x',
    W: ' ',
    b: '',
    B: '',
    n: '\n',
    t: '\t',
  }
  return known[char] ?? char
}
