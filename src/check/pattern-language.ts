import type { TextPattern, UrlPattern } from '../pattern/index.ts'
import { END, followed, inOrder, type Language, letter, literal, many, noLetter, or, rest, within } from './language.ts'
import { regexLanguage } from './regex-language.ts'

const PART = followed(noLetter('/'), many(noLetter('/')))
const SLASH = letter('/')

/** A glob as the paths it matches; undefined where it holds what is filled in later. */
export function globLanguage(glob: string): Language | undefined {
  const choices = choicesOf(glob)
  return choices && or(choices.map(choice => partsOf(choice.split('/').slice(1))))
}

/** `{a,b}` as its choices. */
function choicesOf(glob: string): readonly string[] | undefined {
  const found = /\{([^{}]*)\}/.exec(glob)
  if (!found) return [glob]
  const [group, inner = ''] = found
  if (!inner.includes(',')) return undefined
  const each = inner
    .split(',')
    .map(item => choicesOf(glob.slice(0, found.index) + item + glob.slice(found.index + group.length)))
  const all = each.flatMap(one => one ?? [])
  return each.includes(undefined) || all.length > 64 ? undefined : all
}

/** Each part with its slash before it; `**` is as many as there are. */
const partsOf = (parts: readonly string[]): Language =>
  inOrder(parts.map(part => (part === '**' ? many(followed(SLASH, PART)) : followed(SLASH, partOf(part)))))

const partOf = (part: string): Language =>
  inOrder([...part].map(char => (char === '*' ? many(noLetter('/')) : char === '?' ? noLetter('/') : literal(char))))

export const toolLanguage = (name: string): Language =>
  name.endsWith('*') ? followed(literal(name.slice(0, -1).toLowerCase()), rest) : literal(name.toLowerCase())

export function textLanguage(pattern: TextPattern): Language | undefined {
  if ('regex' in pattern) return regexLanguage(pattern.regex)
  if ('has' in pattern) return within(literal(pattern.has.toLowerCase()))
  return pattern.is.includes('{') ? undefined : literal(pattern.is)
}

const URL_PART = noLetter('/?#\n')

export function urlLanguage(pattern: UrlPattern): Language | undefined {
  if ('regex' in pattern) return regexLanguage(pattern.regex)
  const { scheme, host, segments } = pattern.template
  const parts = segments.map(segmentLanguage)
  if (parts.includes(undefined)) return undefined
  const isOpen = segments.at(-1)?.startsWith('*') === true && segments.at(-1) !== '*'
  const known = parts.flatMap((one, at) => (one && !(isOpen && at === parts.length - 1) ? [followed(SLASH, one)] : []))
  const http = inOrder([literal('http'), or([letter('s'), END])])
  const begins = scheme === undefined || /^https?$/.test(scheme) ? http : literal(scheme)
  // what is below a page, and its query, is the page
  const more = or([END, followed(letter('/?#'), rest)])
  return inOrder([begins, literal('://'), hostLanguage(host), ...known, more])
}

const hostLanguage = (host: string): Language => {
  if (host === '*') return followed(URL_PART, many(URL_PART))
  if (host.startsWith('*.')) return inOrder([URL_PART, many(URL_PART), literal(host.slice(1))])
  return inOrder([or([literal('www.'), END]), literal(host)])
}

function segmentLanguage(segment: string): Language | undefined {
  const like = /^:\w+\((.*)\)$/.exec(segment)?.[1]
  if (like !== undefined) return regexLanguage(`^(?:${like})$`)
  return /^[:*]/.test(segment) ? followed(URL_PART, many(URL_PART)) : literal(segment.toLowerCase())
}

/** What an address looks like, where nothing else is asked of it. */
export const SOME_URL = inOrder([
  literal('https://'),
  ...[URL_PART, many(URL_PART), many(followed(SLASH, followed(URL_PART, many(URL_PART))))],
])
