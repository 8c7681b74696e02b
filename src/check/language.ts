/**
 * Regular languages with `and` and `not`, by derivatives: is there a text that some patterns match and others do not, and
 * which is a short one? What it gives is tried out by the real matcher before anything rests on it.
 */
export type Language =
  | { readonly kind: 'nothing' | 'end'; readonly key: string }
  | { readonly kind: 'set'; readonly key: string; readonly ranges: readonly Range[]; readonly but: boolean }
  | { readonly kind: 'then'; readonly key: string; readonly first: Language; readonly next: Language }
  | { readonly kind: 'or' | 'and'; readonly key: string; readonly of: readonly Language[] }
  | { readonly kind: 'many' | 'not'; readonly key: string; readonly one: Language }

/** From and to, both in it, as codes. */
type Range = readonly [number, number]

/**
 * Languages that are written alike are one, so that its key is a number however long it is: comparing them is most of the
 * work. What one search made is forgotten before the next.
 */
const made = new Map<string, Language>()
const followers = new Map<string, Language>()
let lasting: ReadonlyMap<string, Language> | undefined
let count = 0

function once(written: string, make: (key: string) => Language): Language {
  const known = made.get(written)
  if (known) return known
  const language = make(String(count++))
  made.set(written, language)
  return language
}

/** All but what every search begins with. */
export function forget(): void {
  lasting ??= new Map(made)
  made.clear()
  followers.clear()
  letters.clear()
  for (const [written, language] of lasting) made.set(written, language)
}

export const NOTHING: Language = { kind: 'nothing', key: '∅' }
export const END: Language = { kind: 'end', key: 'ε' }

const RANGES = (text: string): readonly Range[] => [...text].map(char => [char.charCodeAt(0), char.charCodeAt(0)])

const inRanges = (ranges: readonly Range[]): string =>
  ranges.map(([from, to]) => `${String.fromCharCode(from)}-${String.fromCharCode(to)}`).join('')

export const setOf = (ranges: readonly Range[], but = false): Language =>
  once(`[${but ? '^' : ''}${inRanges(ranges)}]`, key => ({ kind: 'set', ranges, but, key }))
/** Any of these letters, or any but these. */
export const letter = (letters: string): Language => setOf(RANGES(letters))
export const noLetter = (letters: string): Language => setOf(RANGES(letters), true)
export const ANY = noLetter('')

export function followed(first: Language, next: Language): Language {
  if (first.kind === 'nothing' || next.kind === 'nothing') return NOTHING
  if (first.kind === 'end') return next
  if (next.kind === 'end') return first
  if (first.kind === 'then') return followed(first.first, followed(first.next, next))
  return once(`${first.key}.${next.key}`, key => ({ kind: 'then', first, next, key }))
}

export const inOrder = (parts: readonly Language[]): Language =>
  parts.reduceRight((rest, one) => followed(one, rest), END)
export const literal = (text: string): Language => inOrder([...text].map(letter))

export const many = (one: Language): Language =>
  one.kind === 'nothing' || one.kind === 'end'
    ? END
    : one.kind === 'many'
      ? one
      : once(`${one.key}*`, key => ({ kind: 'many', one, key }))

const ALL = many(ANY)
/** The language anywhere in a text. */
export const within = (one: Language): Language => inOrder([ALL, one, ALL])
export const rest = ALL

export const not = (one: Language): Language =>
  one.kind === 'not' ? one.one : once(`!${one.key}`, key => ({ kind: 'not', one, key }))

const isAll = (one: Language): boolean => one === ALL || (one.kind === 'not' && one.one.kind === 'nothing')

export const or = (parts: readonly Language[]): Language => joined('or', parts)
export const and = (parts: readonly Language[]): Language => joined('and', parts)

function joined(kind: 'or' | 'and', parts: readonly Language[]): Language {
  const flat = parts.flatMap(one => (one.kind === kind ? one.of : [one]))
  const isWinning = (one: Language): boolean => (kind === 'or' ? isAll(one) : one.kind === 'nothing')
  const isIdle = (one: Language): boolean => (kind === 'or' ? one.kind === 'nothing' : isAll(one))
  const winner = flat.find(isWinning)
  if (winner) return winner
  const each = new Map(flat.filter(one => !isIdle(one)).map(one => [one.key, one]))
  const of = [...each.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
  const [first] = of
  if (!first) return kind === 'or' ? NOTHING : not(NOTHING)
  if (of.length === 1) return first
  return once(of.map(one => one.key).join(kind === 'or' ? '|' : '&'), key => ({ kind, of, key }))
}

/** Is the empty text in it? */
function isDone(one: Language): boolean {
  switch (one.kind) {
    case 'nothing':
    case 'set':
      return false
    case 'end':
    case 'many':
      return true
    case 'then':
      return isDone(one.first) && isDone(one.next)
    case 'or':
      return one.of.some(isDone)
    case 'and':
      return one.of.every(isDone)
    case 'not':
      return !isDone(one.one)
  }
}

/** What may follow once this letter was read. */
function after(one: Language, code: number): Language {
  const known = followers.get(`${one.key} ${code}`)
  if (known) return known
  const language = follower(one, code)
  followers.set(`${one.key} ${code}`, language)
  return language
}

function follower(one: Language, code: number): Language {
  switch (one.kind) {
    case 'nothing':
    case 'end':
      return NOTHING
    case 'set':
      return one.ranges.some(([from, to]) => code >= from && code <= to) === one.but ? NOTHING : END
    case 'then': {
      const through = followed(after(one.first, code), one.next)
      return isDone(one.first) ? or([through, after(one.next, code)]) : through
    }
    case 'many':
      return followed(after(one.one, code), one)
    case 'or':
      return or(one.of.map(part => after(part, code)))
    case 'and':
      return and(one.of.map(part => after(part, code)))
    case 'not':
      return not(after(one.one, code))
  }
}

/** The sets by which its first letter is told: what comes later does not matter yet. */
function firstIn(one: Language): readonly Range[] {
  if (one.kind === 'set') return one.ranges
  if (one.kind === 'then') return isDone(one.first) ? [...firstIn(one.first), ...firstIn(one.next)] : firstIn(one.first)
  if (one.kind === 'or' || one.kind === 'and') return one.of.flatMap(firstIn)
  return one.kind === 'many' || one.kind === 'not' ? firstIn(one.one) : []
}

const NICE = 'abcdefghijklmnopqrstuvwxyz0123456789_-./ABCDEFGHIJKLMNOPQRSTUVWXYZ@:+=,~% #!'
/** By where one kind of letter ends and the next begins. */
const letters = new Map<string, readonly number[]>()
const CODES = [...NICE].map(one => one.charCodeAt(0))

/** One letter of each kind that it tells apart as its first, the plainest first. */
function lettersFor(one: Language): readonly number[] {
  const cuts = [32, ...new Set(firstIn(one).flatMap(([from, to]) => [from, to + 1]))].sort((a, b) => a - b)
  const known = letters.get(cuts.join())
  if (known) return known
  const kinds = new Map<number, number>()
  for (const code of [...CODES, ...cuts]) {
    const kind = cuts.filter(cut => cut <= code).length
    if (!kinds.has(kind)) kinds.set(kind, code)
  }
  const found = [...kinds.values()]
  letters.set(cuts.join(), found)
  return found
}

/** Work that may be left undone: what takes longer is not known. */
export interface Patience {
  left: number
}

/** A shortest text in it; null: there is none; undefined: that took too long to find out. */
export function shortest(language: Language, patience: Patience): string | null | undefined {
  const seen = new Set([language.key])
  let front: readonly (readonly [Language, string])[] = [[language, '']]
  while (front.length > 0) {
    const next: (readonly [Language, string])[] = []
    for (const [one, text] of front) {
      if (isDone(one)) return text
      for (const code of lettersFor(one)) {
        if (patience.left-- <= 0) return undefined
        const left = after(one, code)
        if (left.kind === 'nothing' || seen.has(left.key)) continue
        seen.add(left.key)
        next.push([left, text + String.fromCharCode(code)])
      }
    }
    front = next
  }
  return null
}

export function has(language: Language, text: string): boolean {
  let left = language
  for (const char of text) left = after(left, char.charCodeAt(0))
  return isDone(left)
}
