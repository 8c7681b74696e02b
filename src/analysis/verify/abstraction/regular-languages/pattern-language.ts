import { isRest, type TextPattern, type UrlPattern, type WordPattern } from '../../../../engine/index.ts'
import { regexLanguage } from './regex-language.ts'
import {
  ANY_STRING,
  anyCharExcept,
  anyCharOf,
  concat,
  concatAll,
  containing,
  EMPTY_STRING,
  kleeneStar,
  literal,
  type RegularLanguage,
  unionOf,
} from './regular-language.ts'

const PATH_SEGMENT = concat(anyCharExcept('/'), kleeneStar(anyCharExcept('/')))
const SLASH = anyCharOf('/')

/** The language of all paths that a glob matches. Undefined: the glob contains a placeholder. */
export function globLanguage(glob: string): RegularLanguage | undefined {
  const choices = expandAlternatives(glob)
  return choices && unionOf(choices.map(choice => pathLanguage(choice.split('/').slice(1))))
}

/** Expands `{a,b}` into its alternatives. */
function expandAlternatives(glob: string): readonly string[] | undefined {
  const found = /\{([^{}]*)\}/.exec(glob)
  if (!found) return [glob]
  const [group, inner = ''] = found
  if (!inner.includes(',')) return undefined
  const each = inner
    .split(',')
    .map(item => expandAlternatives(glob.slice(0, found.index) + item + glob.slice(found.index + group.length)))
  const all = each.flatMap(one => one ?? [])
  return each.includes(undefined) || all.length > 64 ? undefined : all
}

/** Each segment is preceded by its slash; `**` stands for any number of segments. */
const pathLanguage = (parts: readonly string[]): RegularLanguage =>
  concatAll(
    parts.map(part =>
      part === '**' ? kleeneStar(concat(SLASH, PATH_SEGMENT)) : concat(SLASH, pathSegmentLanguage(part)),
    ),
  )

const pathSegmentLanguage = (part: string): RegularLanguage =>
  concatAll(
    [...part].map(char =>
      char === '*' ? kleeneStar(anyCharExcept('/')) : char === '?' ? anyCharExcept('/') : literal(char),
    ),
  )

/** `*` is any characters of this kind. */
const starLanguage = (text: string, star: RegularLanguage): RegularLanguage =>
  concatAll(text.split('*').flatMap((part, at) => (at === 0 ? [literal(part)] : [star, literal(part)])))

export const toolLanguage = (name: string): RegularLanguage => starLanguage(name.toLowerCase(), ANY_STRING)

/** Words of a command. The language of a regex is in lower case. */
export const wordLanguage = (pattern: WordPattern): RegularLanguage | undefined => {
  if ('regex' in pattern) return regexLanguage(pattern.regex)
  return pattern.like.includes('{') ? undefined : starLanguage(pattern.like, ANY_STRING)
}

/** The language of plausible words, used as the base for sampling. */
export const ANY_WORD = concat(anyCharExcept('\n\t '), kleeneStar(anyCharExcept('\n\t')))

export function textLanguage(pattern: TextPattern): RegularLanguage | undefined {
  if ('regex' in pattern) return regexLanguage(pattern.regex)
  if ('has' in pattern) return containing(literal(pattern.has.toLowerCase()))
  return pattern.is.includes('{') ? undefined : literal(pattern.is)
}

const URL_CHAR = anyCharExcept('/?#\n')

export function urlLanguage(pattern: UrlPattern): RegularLanguage | undefined {
  if ('regex' in pattern) return regexLanguage(pattern.regex)
  const { scheme, host, segments } = pattern.template
  const parts = segments.map(segmentLanguage)
  if (parts.includes(undefined)) return undefined
  const isOpen = isRest(segments.at(-1) ?? '')
  const known = parts.flatMap((language, at) =>
    language && !(isOpen && at === parts.length - 1) ? [concat(SLASH, language)] : [],
  )
  const http = concatAll([literal('http'), unionOf([anyCharOf('s'), EMPTY_STRING])])
  const begins = scheme === undefined || /^https?$/.test(scheme) ? http : literal(scheme)
  // a URL pattern also matches pages below it and queries
  const more = unionOf([EMPTY_STRING, concat(anyCharOf('/?#'), ANY_STRING)])
  return concatAll([begins, literal('://'), hostLanguage(host), ...known, more])
}

const hostLanguage = (host: string): RegularLanguage => {
  if (host === '*') return concat(URL_CHAR, kleeneStar(URL_CHAR))
  if (host.startsWith('*.')) return concatAll([URL_CHAR, kleeneStar(URL_CHAR), literal(host.slice(1))])
  return concatAll([unionOf([literal('www.'), EMPTY_STRING]), literal(host)])
}

function segmentLanguage(segment: string): RegularLanguage | undefined {
  const classes = /^:\w+\((.*)\)$/.exec(segment)?.[1]
  if (classes !== undefined) return regexLanguage(`^(?:${classes})$`)
  if (segment.startsWith(':') || segment === '*' || isRest(segment)) return concat(URL_CHAR, kleeneStar(URL_CHAR))
  return starLanguage(segment.toLowerCase(), kleeneStar(URL_CHAR))
}

/** The language of plausible URLs, used as the base for sampling. */
export const ANY_URL = concatAll([
  literal('https://'),
  ...[URL_CHAR, kleeneStar(URL_CHAR), kleeneStar(concat(SLASH, concat(URL_CHAR, kleeneStar(URL_CHAR))))],
])
