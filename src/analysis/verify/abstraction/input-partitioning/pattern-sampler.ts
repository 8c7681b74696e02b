import type {
  CommandPattern,
  FieldPattern,
  Program,
  Regex,
  TextPattern,
  UrlPattern,
  WordPattern,
} from '../../../../engine/index.ts'
import { type Atom, atomsOfProgram } from '../condition-atoms.ts'
import {
  ANY_URL,
  ANY_WORD,
  globLanguage,
  textLanguage,
  toolLanguage,
  urlLanguage,
  wordLanguage,
} from '../regular-languages/pattern-language.ts'
import {
  complement,
  intersectionOf,
  isInLanguage,
  type RegularLanguage,
  resetLanguageCache,
  type SearchBudget,
  shortestString,
} from '../regular-languages/regular-language.ts'
import { samplePath, sampleText, sampleUrl, sampleWord } from './sample-strings.ts'
import { sampleWords } from './sample-words.ts'

/** A pattern with its regular language, if the pattern is supported. */
interface SampledPattern {
  readonly source: string
  readonly language: RegularLanguage | undefined
  /** host of a URL pattern, or a suffix such as `.acme.com` for all subdomains; patterns of other hosts cannot overlap */
  readonly host?: string
  /** path segments of a URL pattern, in order */
  readonly segments?: readonly string[]
}

/** Characters read in all searches: about a tenth of a second. */
const SEARCH_STEPS = 30_000
/** Sample texts for one pattern. */
const MAX_TEXTS = 8
/** Patterns of one attribute; with more, each pattern gets a single text. */
const MAX_PATTERNS = 60

/**
 * Samples values for patterns. One value is not enough where patterns overlap: some paths below `notes/` match `*.md` and some
 * do not, and a rule may allow only one kind. So each pattern gets a text for every combination in which the other patterns of
 * its attribute match or do not match.
 */
export class PatternSampler {
  /** attributes for which not every combination could be sampled */
  readonly incomplete = new Set<string>()
  readonly #root: string
  readonly #regex: Regex
  readonly #budget: SearchBudget = { left: SEARCH_STEPS }
  readonly #atoms: readonly Atom[]
  readonly #patternsByAttribute = new Map<string, readonly SampledPattern[]>()
  readonly #samples = new Map<string, readonly string[]>()

  constructor(program: Program, regex: Regex, root: string) {
    resetLanguageCache()
    this.#root = root
    this.#regex = regex
    this.#atoms = atomsOfProgram(program)
    // what becomes of files is not followed
    this.markIncomplete(this.#atomsWithKey('file'))
    const paths = [...this.#atomsWithKey('path').flatMap(atom => atom.in), ...program.allow.flatMap(one => one.paths)]
    this.#register(
      'path',
      paths.map(({ glob }) => this.#pathPattern(glob)),
    )
    this.#register(
      'url',
      this.#atomsWithKey('url').flatMap(atom => atom.in.map(toUrlPattern)),
    )
    this.#register(
      'tool',
      this.#atoms.flatMap(atom => (atom.key === 'tool' ? atom.in.filter(isLiteral).map(toToolPattern) : [])),
    )
    this.#register(
      'words',
      this.#atomsWithKey('words').flatMap(atom => atom.in.map(toWordPattern)),
    )
    for (const [field, patterns] of this.#fields()) this.#register(field, patterns.map(toTextPattern))
  }

  /** Marks the attributes of these atoms as vague: some combinations were not tried. */
  markIncomplete(atoms: readonly Atom[]): void {
    for (const atom of atoms)
      if (CALL_ATTRIBUTE_KEYS.has(atom.key)) for (const key of attributeKeysOf(atom)) this.incomplete.add(key)
  }

  paths(glob: string): readonly string[] {
    const back = (text: string): string => text.replace(/^~(?=\/)/, this.#root)
    return this.#sample('path', this.#pathPattern(glob), [samplePath(glob)]).map(back)
  }

  urls(pattern: UrlPattern): readonly string[] {
    return this.#sample('url', toUrlPattern(pattern), [sampleUrl(pattern, this.#regex) ?? []].flat(), ANY_URL)
  }

  tools(name: string): readonly string[] {
    return this.#sample('tool', toToolPattern(name), [name.replaceAll('*', 'some')])
  }

  /** Texts for a field of the input. */
  texts(field: string, pattern: TextPattern): readonly string[] {
    return this.#sample(inputFieldKey(field), toTextPattern(pattern), [sampleText(pattern, this.#regex) ?? []].flat())
  }

  /** Words of a command line that the pattern matches, without its options. */
  lines(pattern: CommandPattern): readonly (readonly string[])[] {
    const { lines, isIncomplete } = sampleWords(pattern, this.#atoms)
    if (isIncomplete) this.incomplete.add('command')
    return lines
  }

  /** Texts of one word. */
  words(pattern: WordPattern): readonly string[] {
    return this.#sample('words', toWordPattern(pattern), [sampleWord(pattern, this.#regex) ?? []].flat(), ANY_WORD)
  }

  #atomsWithKey<K extends Atom['key']>(key: K): readonly Extract<Atom, { readonly key: K }>[] {
    return this.#atoms.filter((atom): atom is Extract<Atom, { readonly key: K }> => atom.key === key)
  }

  #fields(): ReadonlyMap<string, readonly TextPattern[]> {
    const found = new Map<string, readonly TextPattern[]>()
    for (const { field, in: list } of this.#atoms.flatMap(inputFieldsOf))
      found.set(inputFieldKey(field), [...(found.get(inputFieldKey(field)) ?? []), ...list])
    return found
  }

  #register(key: string, list: readonly SampledPattern[]): void {
    const each = [...new Map(list.map(pattern => [pattern.source, pattern])).values()]
    if (each.some(pattern => pattern.language === undefined) || each.length > MAX_PATTERNS) this.incomplete.add(key)
    this.#patternsByAttribute.set(key, each.length > MAX_PATTERNS ? [] : each)
  }

  /** The pattern relative to the project root, which is abbreviated to `~`. */
  #pathPattern(glob: string): SampledPattern {
    const source = glob.startsWith(`${this.#root}/`) ? `~${glob.slice(this.#root.length)}` : glob
    if (source !== glob) return { source, language: globLanguage(glob.slice(this.#root.length)) }
    // absolute globs outside the root never overlap with paths in the root, unless they begin with a wildcard
    return { source, language: /^\/[^*?{]/.test(glob) ? globLanguage(glob) : undefined }
  }

  #sample(key: string, pattern: SampledPattern, plain: readonly string[], base?: RegularLanguage): readonly string[] {
    const name = `${key} ${pattern.source}`
    const known = this.#samples.get(name)
    if (known) return known
    const found = [...new Set([...plain, ...this.#sampleOverlaps(key, pattern, base)])].slice(0, MAX_TEXTS)
    this.#samples.set(name, found)
    return found
  }

  /** One text of the pattern for each combination with overlapping patterns. */
  #sampleOverlaps(key: string, pattern: SampledPattern, base: RegularLanguage | undefined): readonly string[] {
    if (!pattern.language || !/[*?{:[(.\\]/.test(pattern.source)) return []
    const isHome = pattern.source.startsWith('~/')
    const others = (this.#patternsByAttribute.get(key) ?? []).filter(
      other =>
        other.source !== pattern.source &&
        (key !== 'path' || other.source.startsWith('~/') === isHome) &&
        mayOverlap(key, pattern, other),
    )
    const first = base ? intersectionOf([base, pattern.language]) : pattern.language
    const text = shortestString(first, this.#budget)
    if (text === undefined) this.incomplete.add(key)
    let cells = typeof text === 'string' ? [{ language: first, text }] : []
    for (const { language } of others) if (language) cells = cells.flatMap(cell => this.#split(key, cell, language))
    if (cells.length > MAX_TEXTS) this.incomplete.add(key)
    return cells.map(cell => (isHome ? `~${cell.text}` : cell.text))
  }

  /** Splits a cell by the other pattern: texts that match it, and texts that do not. */
  #split(key: string, cell: PartitionCell, other: RegularLanguage): readonly PartitionCell[] {
    const [same, opposite] = isInLanguage(other, cell.text) ? [other, complement(other)] : [complement(other), other]
    const language = intersectionOf([cell.language, opposite])
    const text = shortestString(language, this.#budget)
    if (text === undefined) this.incomplete.add(key)
    return typeof text === 'string'
      ? [
          { language: intersectionOf([cell.language, same]), text: cell.text },
          { language, text },
        ]
      : [cell]
  }
}

interface PartitionCell {
  readonly language: RegularLanguage
  readonly text: string
}

/** Condition keys that test attributes of a call. */
export const CALL_ATTRIBUTE_KEYS: ReadonlySet<string> = new Set([
  'command',
  'words',
  'path',
  'file',
  'url',
  'tool',
  'input',
  'text',
  'assigns',
  'whitelisted',
])

/** Does the atom test what cannot be tried in full: a prompt, a captured answer, what is known of a file? */
export const isVagueAtom = ({ key }: Atom): boolean => key === 'prompt' || key === 'captured' || key === 'file'

/** The fields of a call that an atom tests. The text that a call writes is sampled as its `content`. */
export const inputFieldsOf = (atom: Atom): readonly FieldPattern[] =>
  atom.key === 'text' ? [{ field: 'content', in: atom.in }] : atom.key === 'input' ? atom.fields : []

/** The attributes that an atom tests. */
export const attributeKeysOf = (atom: Atom): readonly string[] => {
  if (atom.key === 'captured') return atom.fields.map(({ field }) => captureKey(field))
  const fields = inputFieldsOf(atom)
  return fields.length > 0 ? fields.map(({ field }) => inputFieldKey(field)) : [atom.key]
}

/** Attribute name of a captured field, without the layer of its gate. */
export const captureKey = (field: string): string => `captured.${field.slice(field.indexOf('/') + 1)}`

/** Attribute name of an input field. */
const inputFieldKey = (field: string): string => `input.${field}`

const isLiteral = (text: string): boolean => !text.includes('{')
const toUrlPattern = (pattern: UrlPattern): SampledPattern => ({
  source: JSON.stringify(pattern),
  language: urlLanguage(pattern),
  ...('template' in pattern && pattern.template.host !== '*' && { host: siteOfHost(pattern.template.host) }),
  ...('template' in pattern && { segments: pattern.template.segments }),
})
/** Patterns match a host with and without `www.`. */
const siteOfHost = (host: string): string => host.replace(/^(www\.)+/, '').replace(/^\*(?=\.)/, '')

function isSameSite(one: string, other: string): boolean {
  if (one === other || [one, other].some(host => host.includes('*'))) return true
  return [
    [one, other],
    [other, one],
  ].some(([host, tail]) => tail?.startsWith('.') && `www.${host}`.endsWith(tail))
}
const toToolPattern = (name: string): SampledPattern => ({ source: name, language: toolLanguage(name) })
const toWordPattern = (pattern: WordPattern): SampledPattern => ({
  source: JSON.stringify(pattern),
  language: wordLanguage(pattern),
})
const toTextPattern = (pattern: TextPattern): SampledPattern => ({
  source: JSON.stringify(pattern),
  language: textLanguage(pattern),
})

/** Cheap test by prefix and suffix: most patterns of a policy cannot overlap. */
function mayOverlap(key: string, pattern: SampledPattern, other: SampledPattern): boolean {
  return (
    (!pattern.segments || !other.segments || !areDisjointSegments(pattern.segments, other.segments)) &&
    mayOverlapByEnds(key, pattern, other)
  )
}

/** Do two URL patterns have different fixed segments at the same position? */
const areDisjointSegments = (one: readonly string[], other: readonly string[]): boolean =>
  one.some((segment, at) => {
    const meant = [segment, other[at] ?? '*'].map(text => text.toLowerCase())
    return meant.every(text => !/^:|\*/.test(text)) && meant[0] !== meant[1]
  })

function mayOverlapByEnds(
  key: string,
  { source: a, host }: SampledPattern,
  { source: b, host: site }: SampledPattern,
): boolean {
  if (host !== undefined && site !== undefined && !isSameSite(host, site)) return false
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
