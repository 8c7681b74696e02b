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

function intern(written: string, make: (key: string) => RegularLanguage): RegularLanguage {
  const known = interned.get(written)
  if (known) return known
  const language = make(String(nextKey++))
  interned.set(written, language)
  return language
}

/** Clears all languages except the constants of the modules. */
export function resetLanguageCache(): void {
  permanent ??= new Map(interned)
  interned.clear()
  derivatives.clear()
  representativeCodes.clear()
  for (const [written, language] of permanent) interned.set(written, language)
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
  parts.reduceRight((rest, one) => concat(one, rest), EMPTY_STRING)
export const literal = (text: string): RegularLanguage => concatAll([...text].map(anyCharOf))

export const kleeneStar = (one: RegularLanguage): RegularLanguage =>
  one.kind === 'nothing' || one.kind === 'end'
    ? EMPTY_STRING
    : one.kind === 'many'
      ? one
      : intern(`${one.key}*`, key => ({ kind: 'many', one, key }))

const SIGMA_STAR = kleeneStar(ANY_CHAR)
/** Texts that contain a text of the language. */
export const containing = (one: RegularLanguage): RegularLanguage => concatAll([SIGMA_STAR, one, SIGMA_STAR])
export const ANY_STRING = SIGMA_STAR

export const complement = (one: RegularLanguage): RegularLanguage =>
  one.kind === 'not' ? one.one : intern(`!${one.key}`, key => ({ kind: 'not', one, key }))

const isUniversal = (one: RegularLanguage): boolean =>
  one === SIGMA_STAR || (one.kind === 'not' && one.one.kind === 'nothing')

export const unionOf = (parts: readonly RegularLanguage[]): RegularLanguage => combineLanguages('or', parts)
export const intersectionOf = (parts: readonly RegularLanguage[]): RegularLanguage => combineLanguages('and', parts)

function combineLanguages(kind: 'or' | 'and', parts: readonly RegularLanguage[]): RegularLanguage {
  const flat = parts.flatMap(one => (one.kind === kind ? one.of : [one]))
  const isWinning = (one: RegularLanguage): boolean => (kind === 'or' ? isUniversal(one) : one.kind === 'nothing')
  const isIdle = (one: RegularLanguage): boolean => (kind === 'or' ? one.kind === 'nothing' : isUniversal(one))
  const winner = flat.find(isWinning)
  if (winner) return winner
  const each = new Map(flat.filter(one => !isIdle(one)).map(one => [one.key, one]))
  const of = [...each.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
  const [first] = of
  if (!first) return kind === 'or' ? EMPTY_LANGUAGE : complement(EMPTY_LANGUAGE)
  if (of.length === 1) return first
  return intern(of.map(one => one.key).join(kind === 'or' ? '|' : '&'), key => ({ kind, of, key }))
}

/** Does the language contain the empty text? */
function isNullable(one: RegularLanguage): boolean {
  switch (one.kind) {
    case 'nothing':
    case 'set':
      return false
    case 'end':
    case 'many':
      return true
    case 'then':
      return isNullable(one.first) && isNullable(one.next)
    case 'or':
      return one.of.some(isNullable)
    case 'and':
      return one.of.every(isNullable)
    case 'not':
      return !isNullable(one.one)
  }
}

/** Brzozowski derivative: the language of the rest after this character. */
function derivative(one: RegularLanguage, code: number): RegularLanguage {
  const known = derivatives.get(`${one.key} ${code}`)
  if (known) return known
  const language = computeDerivative(one, code)
  derivatives.set(`${one.key} ${code}`, language)
  return language
}

function computeDerivative(one: RegularLanguage, code: number): RegularLanguage {
  switch (one.kind) {
    case 'nothing':
    case 'end':
      return EMPTY_LANGUAGE
    case 'set':
      return one.ranges.some(([from, to]) => code >= from && code <= to) === one.but ? EMPTY_LANGUAGE : EMPTY_STRING
    case 'then': {
      const through = concat(derivative(one.first, code), one.next)
      return isNullable(one.first) ? unionOf([through, derivative(one.next, code)]) : through
    }
    case 'many':
      return concat(derivative(one.one, code), one)
    case 'or':
      return unionOf(one.of.map(part => derivative(part, code)))
    case 'and':
      return intersectionOf(one.of.map(part => derivative(part, code)))
    case 'not':
      return complement(derivative(one.one, code))
  }
}

/** The character ranges that distinguish the first character. */
function firstCharRanges(one: RegularLanguage): readonly CodeRange[] {
  if (one.kind === 'set') return one.ranges
  if (one.kind === 'then')
    return isNullable(one.first)
      ? [...firstCharRanges(one.first), ...firstCharRanges(one.next)]
      : firstCharRanges(one.first)
  if (one.kind === 'or' || one.kind === 'and') return one.of.flatMap(firstCharRanges)
  return one.kind === 'many' || one.kind === 'not' ? firstCharRanges(one.one) : []
}

const PREFERRED_CHARS = 'abcdefghijklmnopqrstuvwxyz0123456789_-./ABCDEFGHIJKLMNOPQRSTUVWXYZ@:+=,~% #!'
/** Cached by the boundaries between classes of characters. */
const representativeCodes = new Map<string, readonly number[]>()
const PREFERRED_CODES = [...PREFERRED_CHARS].map(one => one.charCodeAt(0))

/** One character for each class that the language distinguishes as a first character, the most readable first. */
function distinctFirstChars(one: RegularLanguage): readonly number[] {
  const cuts = [32, ...new Set(firstCharRanges(one).flatMap(([from, to]) => [from, to + 1]))].sort((a, b) => a - b)
  const known = representativeCodes.get(cuts.join())
  if (known) return known
  const kinds = new Map<number, number>()
  for (const code of [...PREFERRED_CODES, ...cuts]) {
    const kind = cuts.filter(cut => cut <= code).length
    if (!kinds.has(kind)) kinds.set(kind, code)
  }
  const found = [...kinds.values()]
  representativeCodes.set(cuts.join(), found)
  return found
}

/** Remaining search steps. A search that exceeds them has no result. */
export interface SearchBudget {
  left: number
}

/** A shortest text of the language. Null: it is empty. Undefined: the budget is spent. */
export function shortestString(language: RegularLanguage, patience: SearchBudget): string | null | undefined {
  const seen = new Set([language.key])
  let front: readonly (readonly [RegularLanguage, string])[] = [[language, '']]
  while (front.length > 0) {
    const next: (readonly [RegularLanguage, string])[] = []
    for (const [one, text] of front) {
      if (isNullable(one)) return text
      for (const code of distinctFirstChars(one)) {
        if (patience.left-- <= 0) return undefined
        const left = derivative(one, code)
        if (left.kind === 'nothing' || seen.has(left.key)) continue
        seen.add(left.key)
        next.push([left, text + String.fromCharCode(code)])
      }
    }
    front = next
  }
  return null
}

export function isInLanguage(language: RegularLanguage, text: string): boolean {
  let left = language
  for (const char of text) left = derivative(left, char.charCodeAt(0))
  return isNullable(left)
}
