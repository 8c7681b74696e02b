import { isObject, type Json, type JsonObject } from '../../lib/json.ts'

/** Parses JSON as models write it: in fences, inside prose, with single quotes, trailing commas, `None`. */
export function parseLooseJson(text: string): Json | undefined {
  const whole = tryStrict(text.trim())
  if (whole !== undefined) return whole
  let best: { value: Json; length: number } | undefined
  let tries = 0
  // each try may read to the end of the text
  const most = Math.min(MOST_TRIES, MOST_READ / text.length)
  for (let at = text.search(/[{[]/); at >= 0 && tries < most; tries++) {
    const found = new Reader(text, at).read()
    if (found && isObject(found.value) && found.end - at > (best?.length ?? 0)) {
      best = { value: found.value, length: found.end - at }
    }
    const from = found ? found.end : at + 1
    const next = text.slice(from).search(/[{[]/)
    at = next < 0 ? -1 : from + next
  }
  return best?.value
}

const MOST_TRIES = 200
const MOST_READ = 20_000_000
const DEEPEST = 64

function tryStrict(text: string): Json | undefined {
  if (!text.startsWith('{') && !text.startsWith('[')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const WORDS: Readonly<Record<string, Json>> = {
  true: true,
  false: false,
  null: null,
  True: true,
  False: false,
  None: null,
}

class Malformed extends Error {}

/** Reads one value from a position on; stops at the first syntax error. */
class Reader {
  constructor(
    private readonly text: string,
    private at: number,
  ) {}

  read(): { value: Json; end: number } | null {
    try {
      return { value: this.value(0), end: this.at }
    } catch (error) {
      if (error instanceof Malformed) return null
      throw error
    }
  }

  private value(depth: number): Json {
    if (depth > DEEPEST) throw new Malformed()
    this.blanks()
    const char = this.text[this.at]
    if (char === '{') return this.object(depth)
    if (char === '[') return this.list(depth)
    if (char === '"' || char === "'") return this.string(char)
    return this.word()
  }

  private object(depth: number): JsonObject {
    const value: JsonObject = {}
    this.at++
    while (!this.closes('}')) {
      const char = this.text[this.at]
      const key = char === '"' || char === "'" ? this.string(char) : this.take(/[\w$-]+/y)
      this.expect(':')
      Object.defineProperty(value, key, {
        value: this.value(depth + 1),
        enumerable: true,
        writable: true,
        configurable: true,
      })
      this.separator('}')
    }
    return value
  }

  private list(depth: number): Json[] {
    const value: Json[] = []
    this.at++
    while (!this.closes(']')) {
      value.push(this.value(depth + 1))
      this.separator(']')
    }
    return value
  }

  private string(quote: string): string {
    let value = ''
    for (this.at++; this.text[this.at] !== quote; this.at++) {
      const char = this.text[this.at]
      if (char === undefined) throw new Malformed()
      value += char === '\\' ? this.escape() : char
    }
    this.at++
    return value
  }

  private escape(): string {
    const char = this.text[++this.at]
    if (char === 'u') {
      const code = this.text.slice(this.at + 1, this.at + 5)
      if (!/^[0-9a-f]{4}$/i.test(code)) throw new Malformed()
      this.at += 4
      return String.fromCharCode(Number.parseInt(code, 16))
    }
    return { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }[char ?? ''] ?? char ?? ''
  }

  private word(): Json {
    const word = this.take(/[\w.+-]+/y)
    const known = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined
    if (known !== undefined) return known
    const number = Number(word)
    if (Number.isNaN(number)) throw new Malformed()
    return number
  }

  private take(pattern: RegExp): string {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0]
    if (!found) throw new Malformed()
    this.at += found.length
    return found
  }

  private blanks(): void {
    while (/\s/.test(this.text[this.at] ?? '')) this.at++
  }

  private closes(bracket: string): boolean {
    this.blanks()
    if (this.text[this.at] !== bracket) return false
    this.at++
    return true
  }

  private expect(char: string): void {
    this.blanks()
    if (this.text[this.at++] !== char) throw new Malformed()
  }

  /** A comma, which is also allowed before the closing bracket. */
  private separator(bracket: string): void {
    this.blanks()
    if (this.text[this.at] === ',') this.at++
    else if (this.text[this.at] !== bracket) throw new Malformed()
  }
}
