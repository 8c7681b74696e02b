import type { Program } from '../core/index.ts'
import type { CommandMatch, Regex, TextPattern, UrlPattern } from '../pattern/index.ts'
import { type Atom, atomsOfProgram } from './atom.ts'
import { and, forget, has, type Language, not, type Patience, shortest } from './language.ts'
import { globLanguage, SOME_URL, textLanguage, toolLanguage, urlLanguage } from './pattern-language.ts'
import { fileFor, textFor, urlFor } from './witness.ts'

type CommandPattern = Exclude<CommandMatch, { readonly reading: true }>

/** A pattern with the texts it matches, where these are understood. */
interface Written {
  readonly source: string
  readonly language: Language | undefined
  /** of a URL, where it is one only or any below one, as `.acme.com`: others never meet it */
  readonly host?: string
  /** of its path, in order */
  readonly segments?: readonly string[]
}

/** Letters read in all: a tenth of a second or so. */
const PATIENCE = 30_000
/** Of one pattern. */
const MOST_TEXTS = 8
/** Of one attribute: with more patterns than these each has one text. */
const MOST_PATTERNS = 60

/**
 * Values for what a policy names by a pattern. One is not enough where patterns meet: of what is below `notes/` some is
 * `*.md` and some is not, and it may be that only one of these is let through. So each pattern has a text for every way
 * in which the others of its attribute take it or leave it.
 */
export class Sampler {
  /** attributes of which not every meeting could be found */
  readonly vague = new Set<string>()
  readonly #root: string
  readonly #regex: Regex
  readonly #patience: Patience = { left: PATIENCE }
  readonly #atoms: readonly Atom[]
  readonly #all = new Map<string, readonly Written[]>()
  readonly #texts = new Map<string, readonly string[]>()

  constructor(program: Program, regex: Regex, root: string) {
    forget()
    this.#root = root
    this.#regex = regex
    this.#atoms = atomsOfProgram(program)
    const paths = [...this.#named('path').flatMap(atom => atom.in), ...program.allow.flatMap(one => one.paths)]
    this.#know(
      'path',
      paths.map(({ glob }) => this.#path(glob)),
    )
    this.#know(
      'url',
      this.#named('url').flatMap(atom => atom.in.map(urlWritten)),
    )
    this.#know(
      'tool',
      this.#atoms.flatMap(atom => (atom.key === 'tool' ? atom.in.filter(isPlain).map(toolWritten) : [])),
    )
    for (const [field, patterns] of this.#fields()) this.#know(field, patterns.map(textWritten))
  }

  /** These were not tried together with others. */
  leaveOut(atoms: readonly Atom[]): void {
    for (const atom of atoms) if (MADE.has(atom.key)) for (const key of keysOf(atom)) this.vague.add(key)
  }

  paths(glob: string): readonly string[] {
    const back = (text: string): string => text.replace(/^~(?=\/)/, this.#root)
    return this.#of('path', this.#path(glob), [fileFor(glob)]).map(back)
  }

  urls(pattern: UrlPattern): readonly string[] {
    return this.#of('url', urlWritten(pattern), [urlFor(pattern, this.#regex) ?? []].flat(), SOME_URL)
  }

  tools(name: string): readonly string[] {
    return this.#of('tool', toolWritten(name), [name.replace(/\*$/, 'some')])
  }

  /** Of a field of the input. */
  texts(field: string, pattern: TextPattern): readonly string[] {
    return this.#of(fieldKey(field), textWritten(pattern), [textFor(pattern, this.#regex) ?? []].flat())
  }

  /** `npm run *` with a word that nothing else names, and with those that other patterns have in its place. */
  lines(pattern: CommandPattern): readonly (readonly string[])[] {
    const { words } = pattern
    if (!words.includes('*')) return [words]
    const others = this.#named('command')
      .flatMap(atom => atom.in)
      .flatMap(one => ('words' in one && isOneProgram(one, pattern) ? [one.words] : []))
      .filter(one => one.every((word, at) => word === '*' || (words[at] ?? word) === '*' || words[at] === word))
    const named = words.map((word, at) =>
      word === '*' ? [...new Set(others.flatMap(one => one[at] ?? []))].filter(one => one !== '*') : [],
    )
    const fillings = ['some', this.#freeWord].map(free => words.map(word => (word === '*' ? free : word)))
    // each place with each word that others have there, besides all the other places
    const all = named.reduce<readonly (readonly string[])[]>(
      (lines, choices, at) =>
        lines.flatMap(line => [line, ...choices.map(word => line.with(at, word))]).slice(0, MOST_TEXTS + 1),
      fillings.slice(0, 1),
    )
    const met = [...fillings, ...all.slice(1)]
    if (met.length > MOST_TEXTS) this.vague.add('command')
    return met.slice(0, MOST_TEXTS)
  }

  get #freeWord(): string {
    const named = new Set(
      this.#named('command').flatMap(atom => atom.in.flatMap(one => ('words' in one ? [...one.words] : []))),
    )
    for (let nth = 1; ; nth++) if (!named.has(`some${nth}`)) return `some${nth}`
  }

  #named<K extends Atom['key']>(key: K): readonly Extract<Atom, { readonly key: K }>[] {
    return this.#atoms.filter((atom): atom is Extract<Atom, { readonly key: K }> => atom.key === key)
  }

  #fields(): ReadonlyMap<string, readonly TextPattern[]> {
    const found = new Map<string, readonly TextPattern[]>()
    for (const { field, in: list } of this.#atoms.flatMap(atom => (atom.key === 'input' ? atom.fields : [])))
      found.set(fieldKey(field), [...(found.get(fieldKey(field)) ?? []), ...list])
    return found
  }

  #know(key: string, list: readonly Written[]): void {
    const each = [...new Map(list.map(one => [one.source, one])).values()]
    if (each.some(one => one.language === undefined) || each.length > MOST_PATTERNS) this.vague.add(key)
    this.#all.set(key, each.length > MOST_PATTERNS ? [] : each)
  }

  /** From the project's root, for which one letter is enough. */
  #path(glob: string): Written {
    const source = glob.startsWith(`${this.#root}/`) ? `~${glob.slice(this.#root.length)}` : glob
    if (source !== glob) return { source, language: globLanguage(glob.slice(this.#root.length)) }
    // what is named from elsewhere is elsewhere, unless it is everywhere
    return { source, language: /^\/[^*?{]/.test(glob) ? globLanguage(glob) : undefined }
  }

  #of(key: string, one: Written, plain: readonly string[], base?: Language): readonly string[] {
    const name = `${key} ${one.source}`
    const known = this.#texts.get(name)
    if (known) return known
    const found = [...new Set([...plain, ...this.#meetings(key, one, base)])].slice(0, MOST_TEXTS)
    this.#texts.set(name, found)
    return found
  }

  /** A text of the pattern in each way the others can meet it. */
  #meetings(key: string, one: Written, base: Language | undefined): readonly string[] {
    if (!one.language || !/[*?{:[(.\\]/.test(one.source)) return []
    const isHome = one.source.startsWith('~/')
    const others = (this.#all.get(key) ?? []).filter(
      other =>
        other.source !== one.source &&
        (key !== 'path' || other.source.startsWith('~/') === isHome) &&
        mayMeet(key, one, other),
    )
    const first = base ? and([base, one.language]) : one.language
    const text = shortest(first, this.#patience)
    if (text === undefined) this.vague.add(key)
    let cells = typeof text === 'string' ? [{ language: first, text }] : []
    for (const { language } of others) if (language) cells = cells.flatMap(cell => this.#split(key, cell, language))
    if (cells.length > MOST_TEXTS) this.vague.add(key)
    return cells.map(cell => (isHome ? `~${cell.text}` : cell.text))
  }

  /** What the other pattern takes of it, and what it leaves. */
  #split(key: string, cell: Cell, other: Language): readonly Cell[] {
    const [same, opposite] = has(other, cell.text) ? [other, not(other)] : [not(other), other]
    const language = and([cell.language, opposite])
    const text = shortest(language, this.#patience)
    if (text === undefined) this.vague.add(key)
    return typeof text === 'string'
      ? [
          { language: and([cell.language, same]), text: cell.text },
          { language, text },
        ]
      : [cell]
  }
}

interface Cell {
  readonly language: Language
  readonly text: string
}

/** What a call is made of. */
export const MADE: ReadonlySet<string> = new Set(['command', 'path', 'url', 'tool', 'input', 'assigns', 'whitelisted'])

/** What somebody says: a person, or an agent whose answer is captured. */
export const isSaid = ({ key }: Atom): boolean => key === 'prompt' || key === 'captured'

/** What an atom asks of an event, and of what was captured. */
export const keysOf = (atom: Atom): readonly string[] => {
  if (atom.key === 'captured') return atom.fields.map(({ field }) => capturedKey(field))
  return atom.key === 'input' ? atom.fields.map(({ field }) => fieldKey(field)) : [atom.key]
}

/** The key under which a field of what was captured is spoken of, without the layer of its gate. */
export const capturedKey = (field: string): string => `captured.${field.slice(field.indexOf('/') + 1)}`

/** The key under which a field of the input is spoken of. */
const fieldKey = (field: string): string => `input.${field}`

const isPlain = (text: string): boolean => !text.includes('{')
const urlWritten = (pattern: UrlPattern): Written => ({
  source: JSON.stringify(pattern),
  language: urlLanguage(pattern),
  ...('template' in pattern && pattern.template.host !== '*' && { host: siteOf(pattern.template.host) }),
  ...('template' in pattern && { segments: pattern.template.segments }),
})
/** With `www.` it is the same to a pattern. */
const siteOf = (host: string): string => host.replace(/^(www\.)+/, '').replace(/^\*(?=\.)/, '')

function isOneSite(one: string, other: string): boolean {
  if (one === other || [one, other].some(host => host.includes('*'))) return true
  return [
    [one, other],
    [other, one],
  ].some(([host, tail]) => tail?.startsWith('.') && `www.${host}`.endsWith(tail))
}
const toolWritten = (name: string): Written => ({ source: name, language: toolLanguage(name) })
const textWritten = (pattern: TextPattern): Written => ({
  source: JSON.stringify(pattern),
  language: textLanguage(pattern),
})

const isOneProgram = (one: CommandPattern, other: CommandPattern): boolean =>
  one.program === other.program || one.program === '*' || other.program === '*'

/** Most patterns of a policy are about other places: that is seen by how they begin and end. */
function mayMeet(key: string, one: Written, other: Written): boolean {
  return (!one.segments || !other.segments || !areApart(one.segments, other.segments)) && mayMeetByEnds(key, one, other)
}

/** A page that is named, and another one in its place. */
const areApart = (one: readonly string[], other: readonly string[]): boolean =>
  one.some((segment, at) => {
    const meant = [segment, other[at] ?? '*'].map(text => text.toLowerCase())
    return meant.every(text => !/^[:*]/.test(text)) && meant[0] !== meant[1]
  })

function mayMeetByEnds(key: string, { source: a, host }: Written, { source: b, host: site }: Written): boolean {
  if (host !== undefined && site !== undefined && !isOneSite(host, site)) return false
  if (key !== 'path' && key !== 'tool') return true
  if (a.includes('{') || b.includes('{')) return true
  const heads = [a, b].map(text => text.slice(0, text.search(/[*?]|$/)))
  const tails = [a, b].map(text => (/[*?]/.test(text) ? text.slice(text.search(/[^*?]*$/)) : text))
  const [one = '', other = ''] = heads
  const [end = '', ending = ''] = tails
  const isBelow = /\/\*\*$/.test(a) || /\/\*\*$/.test(b)
  return (
    (one.startsWith(other) ||
      other.startsWith(one) ||
      (isBelow && (`${one}/`.startsWith(other) || `${other}/`.startsWith(one)))) &&
    (end.endsWith(ending) || ending.endsWith(end))
  )
}
