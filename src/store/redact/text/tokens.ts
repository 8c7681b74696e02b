import { TOKEN_PREFIXES } from './token-prefixes.ts'

/** The replacement for a secret. */
export const REDACTED = '[redacted]'

/** More parts than any sensible text has. The rest is redacted unread, so that no text takes long. */
export const MAX_PARTS = 32_000

/** The position of a secret. */
export interface TextSpan {
  readonly from: number
  readonly to: number
}

/** The span from `from` to the end of the match. The pattern must be sticky. */
export function matchSpan(sticky: RegExp, text: string, from: number): TextSpan | undefined {
  sticky.lastIndex = from
  return sticky.test(text) ? { from, to: sticky.lastIndex } : undefined
}

export function redactSpans(text: string, spans: readonly TextSpan[]): string {
  if (spans.length === 0) return text
  let result = ''
  let at = 0
  for (const { from, to } of [...spans].sort((a, b) => a.from - b.from)) {
    if (from < at) continue
    result += text.slice(at, from) + REDACTED
    at = to
  }
  return result + text.slice(at)
}

/** Tokens without a fixed prefix, each with a quick test. */
const TOKENS_WITHOUT_PREFIX: readonly (readonly [sign: RegExp, whole: RegExp])[] = [
  [/\d:[\w-]{30}/, /(?<=\bbot|(?<![A-Za-z0-9]))\d{8,10}:[\w-]{35}(?![\w-])/g], // Telegram
  [/bot\d/i, /(?<=\bbot)\d{5,14}(?::|%3a)[\w-]{20,}/gi], // Telegram, in the path of a URL
  [/twilio|AC[0-9a-f]{32}/i, /(?<![A-Za-z0-9])[0-9a-f]{32}(?![A-Za-z0-9])/g], // Twilio: bare hex, beside its account or its name
  [/\.[\w-]{6}\.[\w-]{20}/, /(?<![A-Za-z0-9])[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}/g], // Discord
  [/\.atlasv1\./, /(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,70}/g], // Terraform
  [/-us\d/, /(?<![A-Za-z0-9])[a-f0-9]{32}-us\d{1,2}(?!\d)/g], // Mailchimp
  [/\dQ~/, /(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}/g], // Microsoft Entra
]
const PASSWORD_HASH =
  /\{S?SHA(?:256|512)?\}[\w+/=]{20,}|\$(?:1|2[abxy]?|5|6|7|y|apr1|argon2(?:id|i|d)|scrypt)\$[\w./+=$,-]{20,}/g
/** The rest of a token in a truncated command, which ends with `…`. */
const TRUNCATED_REST = /[\w.=+/-]{0,100}(?=…)/y

const LETTER_CLASS = 1
const MARK_CLASS = 2
/** The class of a character by its code: letters and digits, or `_` and `-`. */
const CHARACTER_CLASSES = characterClasses()
function characterClasses(): Uint8Array {
  const codes = new Uint8Array(128)
  for (const [from, to] of ['09', 'AZ', 'az'])
    codes.fill(LETTER_CLASS, from?.charCodeAt(0), (to?.charCodeAt(0) ?? 0) + 1)
  for (const mark of '_-') codes[mark.charCodeAt(0)] = MARK_CLASS
  return codes
}
const classOf = (text: string, at: number): number => CHARACTER_CLASSES[text.charCodeAt(at)] ?? 0

interface TokenPrefix {
  readonly begins: string
  readonly goesOn: string
}
const keyAt = (text: string, at: number): number => text.charCodeAt(at) * 65_536 + text.charCodeAt(at + 1)

let prefixCache: Map<number, TokenPrefix[]> | undefined
/** The prefixes by their first two characters. */
function prefixesByFirstTwo(): ReadonlyMap<number, readonly TokenPrefix[]> {
  if (prefixCache) return prefixCache
  prefixCache = new Map()
  for (const [list, goesOn] of TOKEN_PREFIXES)
    for (const begins of list.split(' ')) {
      const key = keyAt(begins, 0)
      prefixCache.set(key, [...(prefixCache.get(key) ?? []), { begins, goesOn }])
    }
  return prefixCache
}

const patternCache = new Map<string, RegExp>()
function compilePattern(source: string): RegExp {
  const known = patternCache.get(source) ?? new RegExp(source, 'y')
  patternCache.set(source, known)
  return known
}

/** The minimum length of a token, in word characters. */
const MIN_TOKEN = 15

/** Most texts have no word this long. Testing every fifteenth character shows that quickly. */
function hasLongWord(text: string): boolean {
  for (let end = MIN_TOKEN - 1; end < text.length; end += MIN_TOKEN) {
    let at = end
    while (at > end - MIN_TOKEN && classOf(text, at) !== 0) at -= 1
    if (at === end - MIN_TOKEN) return true
    end = at
  }
  return false
}

/** A word also begins after an escaped line break or a percent code. */
function isWordStart(text: string, at: number): boolean {
  if (at === 0 || classOf(text, at - 1) !== LETTER_CLASS) return true
  return (
    (text[at - 2] === '\\' && /[nrt]/.test(text[at - 1] ?? '')) ||
    (text[at - 3] === '%' && classOf(text, at - 2) === LETTER_CLASS)
  )
}

function tokenAt(text: string, at: number, list: readonly TokenPrefix[], cut: boolean): TextSpan | undefined {
  for (const { begins, goesOn } of list) {
    if (!text.startsWith(begins, at) || !isWordStart(text, at)) continue
    const next = at + begins.length
    const rest =
      matchSpan(compilePattern(goesOn), text, next) ?? (cut ? matchSpan(TRUNCATED_REST, text, next) : undefined)
    if (rest) return { from: at, to: rest.to }
  }
  return undefined
}

function findPrefixedTokens(text: string, cut: boolean): TextSpan[] {
  const spans: TextSpan[] = []
  const known = prefixesByFirstTwo()
  let count = 0
  for (let at = 0; at < text.length; at += 1) {
    const list = known.get(keyAt(text, at))
    if (!list) continue
    count += 1
    if (count > MAX_PARTS) return [...spans, { from: at, to: text.length }]
    const span = tokenAt(text, at, list, cut)
    if (!span) continue
    spans.push(span)
    at = span.to - 1
  }
  return spans
}

/** Redacts tokens that can be recognised by themselves. */
export function redactTokens(text: string): string {
  const cut = text.includes('…')
  const crypted = text.includes('$') || text.includes('{S') ? matchSpans(PASSWORD_HASH, text) : []
  if (!cut && !hasLongWord(text)) return redactSpans(text, crypted)
  const odd = TOKENS_WITHOUT_PREFIX.flatMap(([sign, whole]) => (sign.test(text) ? matchSpans(whole, text) : []))
  return redactSpans(text, [...findPrefixedTokens(text, cut), ...odd, ...crypted])
}

const matchSpans = (pattern: RegExp, text: string): readonly TextSpan[] =>
  [...text.matchAll(pattern)].map(({ 0: found, index }) => ({ from: index, to: index + found.length }))

const BASE64_WORD = /(?<![\w+/=-])[A-Za-z0-9+/_-]{24,}={0,2}(?![\w+/=-])/g
const PRINTABLE = /^[\t\r\n -~]+$/
/** Encoded secrets are a line or two long. Of a longer text only the beginning is decoded. */
const MAX_DECODED = 8_192

/** Redacts base64 that decodes to text with a secret. Other words of these letters do not decode to printable text. */
export const redactBase64 = (text: string, redact: (text: string) => string): string =>
  text.replace(BASE64_WORD, word => {
    const inner = Buffer.from(word.slice(0, MAX_DECODED), 'base64').toString('latin1')
    return PRINTABLE.test(inner) && redact(inner) !== inner ? REDACTED : word
  })
