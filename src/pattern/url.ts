import type { Regex } from './text.ts'

/** `https://github.com/:owner/:repo/pull/:number`: matched by leading segments; the query is ignored. */
export interface UrlTemplate {
  /** absent: any */
  readonly scheme?: string
  /** `*.example.com` is any subdomain, `*` any host */
  readonly host: string
  /** a literal, `:name` or `*` for one segment, `*name` for the rest */
  readonly segments: readonly string[]
}

interface UrlParts {
  readonly scheme: string
  readonly host: string
  readonly segments: readonly string[]
}

const SHAPE = /^(?:([a-z][a-z0-9+.-]*|\*):\/\/)?([^/?#]+)([^?#]*)/i

export function parseUrlTemplate(text: string): UrlTemplate | null {
  const found = SHAPE.exec(text.trim())
  if (!found?.[2] || /\s/.test(text.trim())) return null
  const segments = (found[3] ?? '').split('/').filter(Boolean)
  if (segments.slice(0, -1).some(segment => segment.length > 1 && segment.startsWith('*'))) return null
  const scheme = found[1]?.toLowerCase()
  const host = hostOf(found[2])
  return host === '' || text.endsWith('://')
    ? null
    : { ...(scheme && scheme !== '*' ? { scheme } : {}), host, segments }
}

/** The names a template gives to parts of a URL, in order of appearance. */
export const urlNames = (template: UrlTemplate): readonly string[] =>
  template.segments.flatMap(segment => (segment.length > 1 && /^[:*]/.test(segment) ? [segment.slice(1)] : []))

/** User, port and a trailing dot do not make another host; nor do wide letters, other dots and escapes. */
const hostOf = (text: string): string =>
  decode(text.slice(text.lastIndexOf('@') + 1))
    .replace(/:\d*$/, '')
    .normalize('NFKC')
    .replace(/[\u00ad\u200b-\u200d\u2060\ufeff]/g, '')
    .replace(/[\u3002\uff0e\uff61]/g, '.')
    .replace(/\.$/, '')
    .toLowerCase()

/**
 * As browsers and curl take what people write: no blanks inside, `\\` is `/`, any number of slashes after the scheme, the
 * host plain. The path and the query stay.
 */
export function plainUrl(text: string): string {
  const found = /^([a-z][a-z0-9+.-]*):[\\/]*([^\\/?#]*)(.*)$/is.exec(text.trim().replace(/[\t\r\n]/g, ''))
  const [, scheme = '', host = '', rest = ''] = found ?? []
  if (!/^(https?|ftp|wss?)$/i.test(scheme)) return text
  const [path = '', ...query] = rest.split(/(?=[?#])/)
  const port = /:\d+$/.exec(host)?.[0] ?? ''
  return `${scheme.toLowerCase()}://${hostOf(host)}${port}${path.replaceAll('\\', '/')}${query.join('')}`
}

/** As a client would read it, `..` resolved. */
export function readUrl(text: string): UrlParts | null {
  const found = SHAPE.exec(text.trim())
  if (!found?.[2]) return null
  return {
    scheme: (found[1] ?? 'https').toLowerCase(),
    host: hostOf(found[2]),
    segments: resolveDots((found[3] ?? '').split('/')),
  }
}

function resolveDots(parts: readonly string[]): readonly string[] {
  const kept: string[] = []
  for (const part of parts) {
    const text = decode(part)
    if (text === '..') kept.pop()
    else if (text !== '' && text !== '.') kept.push(text)
  }
  return kept
}

function decode(part: string): string {
  if (!part.includes('%')) return part
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The named parts where the URL matches, else null. */
export function matchUrl(template: UrlTemplate, url: UrlParts): Readonly<Record<string, string>> | null {
  if (template.scheme && template.scheme !== url.scheme && !isHttp(template.scheme, url.scheme)) return null
  if (!hostFits(template.host, url.host)) return null
  const named: Record<string, string> = {}
  for (const [position, segment] of template.segments.entries()) {
    if (segment.length > 1 && segment.startsWith('*')) {
      named[segment.slice(1)] = url.segments.slice(position).join('/')
      return named
    }
    const value = url.segments[position]
    if (value === undefined) return null
    if (segment.startsWith(':')) named[segment.slice(1)] = value
    else if (segment !== '*' && segment.toLowerCase() !== value.toLowerCase()) return null
  }
  return named
}

/** A route for https also takes http: sites redirect, and the shorter scheme must not be a way round. */
const isHttp = (a: string, b: string): boolean => /^https?$/.test(a) && /^https?$/.test(b)

const hostFits = (pattern: string, host: string): boolean =>
  pattern === '*' ||
  pattern === host ||
  `www.${pattern}` === host ||
  (pattern.startsWith('*.') && host.endsWith(pattern.slice(1)))

export type UrlPattern = { readonly template: UrlTemplate } | { readonly regex: string }

/** The named parts of the first pattern the URL matches. */
export function findUrl(
  wanted: readonly UrlPattern[],
  url: string,
  regex: Regex,
): Readonly<Record<string, string>> | null {
  const parts = readUrl(url)
  for (const pattern of wanted) {
    const named =
      'regex' in pattern ? regex.search(pattern.regex, url)?.groups : parts && matchUrl(pattern.template, parts)
    if (named) return named
  }
  return null
}
