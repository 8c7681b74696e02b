import { fitsStars, lengthReadByPattern, type Regex } from './text.ts'

/** `https://github.com/:owner/:repo/pull/:number(\d+)`: matched by leading segments; the query is ignored. */
export interface UrlTemplate {
  /** absent: any */
  readonly scheme?: string
  /** `*.example.com` is any subdomain, `*` any host */
  readonly host: string
  /** a literal, `:name` for one segment, `*` for any characters in it, `:name(regex)` for a segment that the regex matches whole, `*name` for the rest */
  readonly segments: readonly string[]
}

interface UrlParts {
  readonly scheme: string
  readonly host: string
  readonly segments: readonly string[]
}

const SHAPE = /^(?:([a-z][a-z0-9+.-]*|\*):\/\/)?([^/?#]+)([^?#]*)/i
/** Like `SHAPE`, but text in brackets belongs to its segment. */
const TEMPLATE = /^(?:([a-z][a-z0-9+.-]*|\*):\/\/)?([^/?#]+)((?:\([^)]*\)|[^?#])*)/i
const SEGMENT = /(?:\([^)]*\)|[^/])+/g
const LIKE = /^(:\w+)\((.*)\)$/

export function parseUrlTemplate(text: string): UrlTemplate | null {
  const found = TEMPLATE.exec(text.trim())
  if (!found?.[2] || /\s/.test(text.trim())) return null
  const segments = (found[3] ?? '').match(SEGMENT) ?? []
  if (segments.slice(0, -1).some(isRest)) return null
  const scheme = found[1]?.toLowerCase()
  const host = hostOf(found[2])
  return host === '' || text.endsWith('://')
    ? null
    : { ...(scheme && scheme !== '*' ? { scheme } : {}), host, segments }
}

/** `*rest` and `**`: all segments that follow. `*.zip` is one segment. */
export const isRest = (segment: string): boolean => /^\*[\w*]+$/.test(segment)

/** The names a template gives to parts of a URL, in order of appearance. */
export const urlNames = (template: UrlTemplate): readonly string[] =>
  template.segments.flatMap(segment => (/^:./.test(segment) || isRest(segment) ? [readSegment(segment).name] : []))

/** The regexes in the template. The policy's author wrote them, so they may be invalid. */
export const urlRegexes = (template: UrlTemplate): readonly string[] =>
  template.segments.flatMap(segment => readSegment(segment).like ?? [])

function readSegment(segment: string): { readonly name: string; readonly like?: string } {
  const [, name, like] = LIKE.exec(segment) ?? []
  return name !== undefined && like !== undefined ? { name: name.slice(1), like } : { name: segment.slice(1) }
}

/** User, port, a trailing dot, full-width letters, other dots and escapes do not make another host. */
const hostOf = (text: string): string =>
  decode(text.slice(text.lastIndexOf('@') + 1))
    .replace(/:\d*$/, '')
    .normalize('NFKC')
    .replace(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, '')
    .replace(/[\u3002\uff0e\uff61]/g, '.')
    .replace(/\.$/, '')
    .toLowerCase()

/**
 * Normalizes a URL as browsers and curl do: no tabs or line breaks, `\\` is `/`, any number of slashes after the scheme, a plain
 * host, `..` resolved, needless escapes decoded. The query stays.
 */
export function normalizeUrl(text: string): string {
  const found = /^([a-z][a-z0-9+.-]*):[\\/]*([^\\/?#]*)(.*)$/is.exec(text.trim().replace(/[\t\r\n]/g, ''))
  const [, scheme = '', host = '', rest = ''] = found ?? []
  if (!/^(https?|ftp|wss?)$/i.test(scheme)) return text
  const [path = '', ...query] = rest.split(/(?=[?#])/)
  const port = /:\d+$/.exec(host)?.[0] ?? ''
  return `${scheme.toLowerCase()}://${hostOf(host)}${port}${plainPath(path.replaceAll('\\', '/'))}${query.join('')}`
}

/** Decodes only what means the same to every server: `%70ull` is `pull`, but `%2f` is not a slash. */
function plainPath(path: string): string {
  const plain = path.replace(/%[0-9a-f]{2}/gi, code => {
    const char = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return /[\w.~-]/.test(char) ? char : code
  })
  if (!/\/\.\.?(?:\/|$)/.test(plain)) return plain
  const segments: string[] = []
  for (const part of plain.split('/').slice(1)) {
    if (part === '..') segments.pop()
    else if (part !== '.') segments.push(part)
  }
  return `/${segments.join('/')}${/\/\.\.?$/.test(plain) && segments.length > 0 ? '/' : ''}`
}

/** Parses a URL as an HTTP client does, with `..` resolved. */
export function parseUrlParts(text: string): UrlParts | null {
  const found = SHAPE.exec(text.trim())
  if (!found?.[2]) return null
  return {
    scheme: (found[1] ?? 'https').toLowerCase(),
    host: hostOf(found[2]),
    segments: resolveDots((found[3] ?? '').split('/')),
  }
}

function resolveDots(parts: readonly string[]): readonly string[] {
  const pairs: string[] = []
  for (const part of parts) {
    const text = decode(part)
    if (text === '..') pairs.pop()
    else if (text !== '' && text !== '.') pairs.push(text)
  }
  return pairs
}

function decode(part: string): string {
  if (!part.includes('%')) return part
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The named parts if the URL matches, otherwise null. */
function matchUrl(template: UrlTemplate, url: UrlParts, regex: Regex): Readonly<Record<string, string>> | null {
  if (template.scheme && template.scheme !== url.scheme && !isHttp(template.scheme, url.scheme)) return null
  if (!hostFits(template.host, url.host)) return null
  const named: Record<string, string> = {}
  for (const [position, segment] of template.segments.entries()) {
    if (isRest(segment)) {
      named[segment.slice(1)] = url.segments.slice(position).join('/')
      return named
    }
    const value = url.segments[position]
    if (value === undefined) return null
    if (segment.startsWith(':')) {
      const { name, like } = readSegment(segment)
      // the end of `pull/$N` is unknown, and its beginning matches
      if (like !== undefined && !value.endsWith('…') && !isLike(value, like, regex)) return null
      named[name] = value
    } else if (!fitsStars(segment.toLowerCase(), value.toLowerCase())) return null
  }
  return named
}

/** A value that is too long to be read whole does not match. */
function isLike(value: string, like: string, regex: Regex): boolean {
  const whole = `^(?:${like})$`
  return value.length <= lengthReadByPattern(regex, whole, value) && regex.search(whole, value) !== null
}

/** A route for https also matches http: sites redirect, and http must not be a way around the route. */
const isHttp = (a: string, b: string): boolean => /^https?$/.test(a) && /^https?$/.test(b)

const hostFits = (pattern: string, host: string): boolean =>
  pattern === '*' ||
  pattern === host ||
  `www.${pattern}` === host ||
  (pattern.startsWith('*.') && host.endsWith(pattern.slice(1)))

export type UrlPattern = { readonly template: UrlTemplate } | { readonly regex: string }

/** The rest is query: no page has a longer address, and a regex takes time. */
const LONGEST_URL = 8192

/** The named parts of the first pattern the URL matches. */
export function findUrlMatch(
  wanted: readonly UrlPattern[],
  url: string,
  regex: Regex,
): Readonly<Record<string, string>> | null {
  const parts = parseUrlParts(url)
  for (const pattern of wanted) {
    const named =
      'regex' in pattern
        ? regex.search(
            pattern.regex,
            url.slice(0, Math.min(LONGEST_URL, lengthReadByPattern(regex, pattern.regex, url))),
          )?.groups
        : parts && matchUrl(pattern.template, parts, regex)
    if (named) return harmless(named, 'regex' in pattern)
  }
  return null
}

/**
 * Parts of a URL end up in the commands that a message suggests, and the author of the URL must not control the command: characters
 * that mean something to a shell, or begin an option, stay escaped. The groups of a regex are already escaped as in the URL.
 */
function harmless(named: Readonly<Record<string, string>>, escaped: boolean): Readonly<Record<string, string>> {
  const strange = escaped ? /^-|[^\w.~@:+,=/…%-]/gu : /^-|[^\w.~@:+,=/…-]/gu
  return Object.fromEntries(Object.entries(named).map(([name, value]) => [name, value.replace(strange, percent)]))
}

const percent = (char: string): string =>
  /^[!'()*-]$/.test(char)
    ? `%${char.charCodeAt(0).toString(16).toUpperCase()}`
    : encodeURIComponent(/\p{Cs}/u.test(char) ? '\ufffd' : char)
