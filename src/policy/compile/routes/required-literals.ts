/**
 * Returns lower-case literals that every match of the regex must contain. Conservative: leaves out whatever is not certain, and returns
 * none for unusual syntax. Used only to find candidates quickly.
 */
export function requiredLiterals(source: string): readonly string[] {
  const reader = new RegexReader(source)
  const runs = reader.alternatives()
  return reader.strange || !reader.atEnd() ? [] : runs
}

const ZERO_WIDTH_OR_CLASS = /[dDwWsSbBAznrtfv]/
const PUNCTUATION = /[^\w\s]/

class RegexReader {
  strange = false
  #at = 0

  constructor(readonly source: string) {}

  atEnd(): boolean {
    return this.#at >= this.source.length
  }

  /** With more than one alternative, no literal is certain. */
  alternatives(): readonly string[] {
    let runs = this.#sequence()
    while (this.source[this.#at] === '|') {
      this.#at++
      this.#sequence()
      runs = []
    }
    return runs
  }

  #sequence(): readonly string[] {
    const runs: string[] = []
    let run = ''
    const cut = () => {
      if (run) runs.push(run)
      run = ''
    }
    while (!this.atEnd() && !this.strange) {
      const next = this.source[this.#at]
      if (next === '|' || next === ')') break
      const piece = this.#piece()
      const repeated = this.#repetition()
      if (piece.literal !== undefined && repeated !== 'optional') run += piece.literal
      if (piece.literal !== undefined && repeated === 'once') continue
      cut()
      if (piece.runs && repeated !== 'optional') runs.push(...piece.runs)
    }
    cut()
    return runs
  }

  #piece(): { readonly literal?: string; readonly runs?: readonly string[] } {
    const char = this.source[this.#at++] ?? ''
    if (char === '(') return { runs: this.#group() }
    if (char === '[') return this.#class()
    if (char === '\\') return this.#escape()
    if (char === '.' || char === '^' || char === '$') return {}
    if ('*+?{'.includes(char)) this.strange = true
    return isAscii(char) ? { literal: char.toLowerCase() } : {}
  }

  #group(): readonly string[] {
    const flags = /^\?[a-zA-Z]*(-[a-zA-Z]+)?\)/.exec(this.source.slice(this.#at))
    if (flags) {
      this.#at += flags[0].length
      return []
    }
    const head = /^\?(?:P?<[A-Za-z]\w*>|[a-zA-Z-]*:)/.exec(this.source.slice(this.#at))
    if (head) this.#at += head[0].length
    else if (this.source[this.#at] === '?') this.strange = true
    const runs = this.alternatives()
    if (this.source[this.#at++] !== ')') this.strange = true
    return runs
  }

  /** `[.]` is a way to escape a dot; any other class may match several characters. */
  #class(): { readonly literal?: string } {
    const rest = this.source.slice(this.#at)
    const found = /^\^?\]?(?:\[:\^?[a-z]+:\]|\\[\s\S]|[^\]\\])*\]/.exec(rest)
    if (!found) this.strange = true
    this.#at += found?.[0].length ?? 0
    const only = found?.[0].length === 2 ? found[0][0] : undefined
    return only !== undefined && only !== '^' && isAscii(only) ? { literal: only.toLowerCase() } : {}
  }

  #escape(): { readonly literal?: string } {
    const char = this.source[this.#at++] ?? ''
    if (ZERO_WIDTH_OR_CLASS.test(char)) return {}
    if (PUNCTUATION.test(char) && isAscii(char)) return { literal: char }
    this.strange = true // \x41, \p{…}, \Q…\E: rare in routes
    return {}
  }

  #repetition(): 'once' | 'repeated' | 'optional' {
    const found = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})/.exec(this.source.slice(this.#at, this.#at + 16))
    if (!found) {
      if (this.source[this.#at] === '{') this.strange = true
      return 'once'
    }
    this.#at += found[0].length
    if (this.source[this.#at] === '?') this.#at++
    return found[0] === '*' || found[0] === '?' || Number(found[1] ?? 1) === 0 ? 'optional' : 'repeated'
  }
}

const isAscii = (char: string): boolean => char.length === 1 && char.charCodeAt(0) > 31 && char.charCodeAt(0) < 127
