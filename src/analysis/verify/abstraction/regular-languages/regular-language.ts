/**
 * Regular languages with intersection and complement, decided by Brzozowski derivatives: is there a text that some patterns match and
 * others do not, and what is a shortest one? Results are checked with the real matcher before they are used.
 */
export type RegularLanguage =
  | { readonly kind: 'nothing' | 'end'; readonly key: string }
  | { readonly kind: 'set'; readonly key: string; readonly ranges: readonly CodeRange[]; readonly but: boolean }
  | { readonly kind: 'then'; readonly key: string; readonly first: RegularLanguage; readonly next: RegularLanguage }
  | { readonly kind: 'or' | 'and'; readonly key: string; readonly of: readonly RegularLanguage[] }
  | { readonly kind: 'many' | 'not'; readonly key: string; readonly one: RegularLanguage }

/** First and last character code, both included. */
type CodeRange = readonly [number, number]

/**
 * Hash consing: structurally equal languages are one object with a short key, since comparing languages is most of the work. The
 * tables are cleared before each new sampler.
 */
const interned = new Map<string, RegularLanguage>()
const derivatives = new Map<string, RegularLanguage>()
let permanent: ReadonlyMap<string, RegularLanguage> | undefined
let nextKey = 0

function intern(text: string, make: (key: string) => RegularLanguage): RegularLanguage {
  const known = interned.get(text)
  if (known) return known
  const language = make(String(nextKey++))
  interned.set(text, language)
  return language
}

/** Clears all languages except the constants of the modules. */
export function resetLanguageCache(): void {
  permanent ??= new Map(interned)
  interned.clear()
  derivatives.clear()
  representativeCodes.clear()
  for (const [text, language] of permanent) interned.set(text, language)
}

export const EMPTY_LANGUAGE: RegularLanguage = { kind: 'nothing', key: '∅' }
export const EMPTY_STRING: RegularLanguage = { kind: 'end', key: 'ε' }

const toCodeRanges = (text: string): readonly CodeRange[] =>
  [...text].map(char => [char.charCodeAt(0), char.charCodeAt(0)])

const rangesKey = (ranges: readonly CodeRange[]): string =>
  ranges.map(([from, to]) => `${String.fromCharCode(from)}-${String.fromCharCode(to)}`).join('')

export const charClass = (ranges: readonly CodeRange[], but = false): RegularLanguage =>
  intern(`[${but ? '^' : ''}${rangesKey(ranges)}]`, key => ({ kind: 'set', ranges, but, key }))
/** Any of these characters, or any except these. */
export const anyCharOf = (letters: string): RegularLanguage => charClass(toCodeRanges(letters))
export const anyCharExcept = (letters: string): RegularLanguage => charClass(toCodeRanges(letters), true)
export const ANY_CHAR = anyCharExcept('')

export function concat(first: RegularLanguage, next: RegularLanguage): RegularLanguage {
  if (first.kind === 'nothing' || next.kind === 'nothing') return EMPTY_LANGUAGE
  if (first.kind === 'end') return next
  if (next.kind === 'end') return first
  if (first.kind === 'then') return concat(first.first, concat(first.next, next))
  return intern(`${first.key}.${next.key}`, key => ({ kind: 'then', first, next, key }))
}

export const concatAll = (parts: readonly RegularLanguage[]): RegularLanguage =>
  parts.reduceRight((rest, language) => concat(language, rest), EMPTY_STRING)
export const literal = (text: string): RegularLanguage => concatAll([...text].map(anyCharOf))

export const kleeneStar = (language: RegularLanguage): RegularLanguage =>
  language.kind === 'nothing' || language.kind === 'end'
    ? EMPTY_STRING
    : language.kind === 'many'
      ? language
      : intern(`${language.key}*`, key => ({ kind: 'many', one: language, key }))

const SIGMA_STAR = kleeneStar(ANY_CHAR)
/** Texts that contain a text of the language. */
export const containing = (language: RegularLanguage): RegularLanguage => concatAll([SIGMA_STAR, language, SIGMA_STAR])
export const ANY_STRING = SIGMA_STAR

export const complement = (language: RegularLanguage): RegularLanguage =>
  language.kind === 'not' ? language.one : intern(`!${language.key}`, key => ({ kind: 'not', one: language, key }))

const isUniversal = (language: RegularLanguage): boolean =>
  language === SIGMA_STAR || (language.kind === 'not' && language.one.kind === 'nothing')

export const unionOf = (parts: readonly RegularLanguage[]): RegularLanguage => combineLanguages('or', parts)
export const intersectionOf = (parts: readonly RegularLanguage[]): RegularLanguage => combineLanguages('and', parts)

function combineLanguages(kind: 'or' | 'and', parts: readonly RegularLanguage[]): RegularLanguage {
  const flat = parts.flatMap(language => (language.kind === kind ? language.of : [language]))
  const isWinning = (language: RegularLanguage): boolean =>
    kind === 'or' ? isUniversal(language) : language.kind === 'nothing'
  const isIdle = (language: RegularLanguage): boolean =>
    kind === 'or' ? language.kind === 'nothing' : isUniversal(language)
  const winner = flat.find(isWinning)
  if (winner) return winner
  const each = new Map(flat.filter(language => !isIdle(language)).map(language => [language.key, language]))
  const of = [...each.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
  const [first] = of
  if (!first) return kind === 'or' ? EMPTY_LANGUAGE : complement(EMPTY_LANGUAGE)
  if (of.length === 1) return first
  return intern(of.map(language => language.key).join(kind === 'or' ? '|' : '&'), key => ({ kind, of, key }))
}

/** Does the language contain the empty text? */
function isNullable(language: RegularLanguage): boolean {
  switch (language.kind) {
    case 'nothing':
    case 'set':
      return false
    case 'end':
    case 'many':
      return true
    case 'then':
      return isNullable(language.first) && isNullable(language.next)
    case 'or':
      return language.of.some(isNullable)
    case 'and':
      return language.of.every(isNullable)
    case 'not':
      return !isNullable(language.one)
  }
}

/** Brzozowski derivative: the language of the rest after this character. */
function derivative(other: RegularLanguage, code: number): RegularLanguage {
  const known = derivatives.get(`${other.key} ${code}`)
  if (known) return known
  const language = computeDerivative(other, code)
  derivatives.set(`${other.key} ${code}`, language)
  return language
}

function computeDerivative(language: RegularLanguage, code: number): RegularLanguage {
  switch (language.kind) {
    case 'nothing':
    case 'end':
      return EMPTY_LANGUAGE
    case 'set':
      return language.ranges.some(([from, to]) => code >= from && code <= to) === language.but
        ? EMPTY_LANGUAGE
        : EMPTY_STRING
    case 'then': {
      const through = concat(derivative(language.first, code), language.next)
      return isNullable(language.first) ? unionOf([through, derivative(language.next, code)]) : through
    }
    case 'many':
      return concat(derivative(language.one, code), language)
    case 'or':
      return unionOf(language.of.map(part => derivative(part, code)))
    case 'and':
      return intersectionOf(language.of.map(part => derivative(part, code)))
    case 'not':
      return complement(derivative(language.one, code))
  }
}

/** The character ranges that distinguish the first character. */
function firstCharRanges(language: RegularLanguage): readonly CodeRange[] {
  if (language.kind === 'set') return language.ranges
  if (language.kind === 'then')
    return isNullable(language.first)
      ? [...firstCharRanges(language.first), ...firstCharRanges(language.next)]
      : firstCharRanges(language.first)
  if (language.kind === 'or' || language.kind === 'and') return language.of.flatMap(firstCharRanges)
  return language.kind === 'many' || language.kind === 'not' ? firstCharRanges(language.one) : []
}

const PREFERRED_CHARS = 'abcdefghijklmnopqrstuvwxyz0123456789_-./ABCDEFGHIJKLMNOPQRSTUVWXYZ@:+=,~% #!'
/** Cached by the boundaries between classes of characters. */
const representativeCodes = new Map<string, readonly number[]>()
const PREFERRED_CODES = [...PREFERRED_CHARS].map(one => one.charCodeAt(0))

/** One character for each class that the language distinguishes as a first character, the most readable first. */
function distinctFirstChars(language: RegularLanguage): readonly number[] {
  const boundaries = [32, ...new Set(firstCharRanges(language).flatMap(([from, to]) => [from, to + 1]))].sort(
    (a, b) => a - b,
  )
  const known = representativeCodes.get(boundaries.join())
  if (known) return known
  const codeByClass = new Map<number, number>()
  for (const code of [...PREFERRED_CODES, ...boundaries]) {
    const kind = boundaries.filter(cut => cut <= code).length
    if (!codeByClass.has(kind)) codeByClass.set(kind, code)
  }
  const found = [...codeByClass.values()]
  representativeCodes.set(boundaries.join(), found)
  return found
}

/** Remaining search steps. A search that exceeds them has no result. */
export interface SearchBudget {
  left: number
}

/** A shortest text of the language. Null: it is empty. Undefined: the budget is spent. */
export function shortestString(language: RegularLanguage, budget: SearchBudget): string | null | undefined {
  const seen = new Set([language.key])
  let frontier: readonly (readonly [RegularLanguage, string])[] = [[language, '']]
  while (frontier.length > 0) {
    const next: (readonly [RegularLanguage, string])[] = []
    for (const [language, text] of frontier) {
      if (isNullable(language)) return text
      for (const code of distinctFirstChars(language)) {
        if (budget.left-- <= 0) return undefined
        const rest = derivative(language, code)
        if (rest.kind === 'nothing' || seen.has(rest.key)) continue
        seen.add(rest.key)
        next.push([rest, text + String.fromCharCode(code)])
      }
    }
    frontier = next
  }
  return null
}

export function isInLanguage(language: RegularLanguage, text: string): boolean {
  let rest = language
  for (const char of text) rest = derivative(rest, char.charCodeAt(0))
  return isNullable(rest)
}
