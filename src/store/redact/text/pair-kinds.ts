import { isSecretHeader, isSecretName, isSecretOption, isSecretQueryParameter } from '../secret-names.ts'
import {
  ASSIGNED_VALUE,
  BARE_WORD,
  isSecretValueAt,
  LAST_WORD_OF_LINE,
  LAST_WORD_OF_TEXT,
  QUOTED_VALUE,
  REST_OF_QUOTED,
  SHELL_WORD,
  WORD_WITH_DIGIT,
} from '../secret-values.ts'
import { MAX_PARTS, matchSpan, redactSpans, type TextSpan } from './tokens.ts'

interface PairKind {
  readonly is: (pair: NameValuePair) => boolean
  /** the secret part of the pair */
  readonly secret: (pair: NameValuePair) => TextSpan | undefined
}

const SCHEME =
  /^(?:bearer|basic|token|digest|apikey|negotiate|ntlm|hawk|oauth|dpop|bot|jwt|key|sharedkey|signature|aws4-hmac-sha256)\\?\s{1,3}/
const SCHEME_ALONE = /^(?:bearer|basic|digest)["'`]/i
const HEADER_OPTION = /(?:^|[\s"'`])(?:-H|--header)[\s=]{0,3}["'`]?$/
const COOKIES = /(?=[\w.-]{1,100}=)[^"'\n]+/y
const BASE64 = /"[\w+/=.-]{4,}"/y
const ELEMENT = /[^<\n]+(?=<)/y
/** `docker build --secret id=x`, `openssl -pass env:X`: where the secret is, not the secret itself. */
const REFERENCE_TO_SECRET = /^(?:(?:id|src|source|type)=|(?:pass|env|file|fd|stdin)(?:[:\s]|$))/
/** The code of a country or an error is not an authorization code. */
const AUTHORIZATION_CODE = /(?![A-Z_]{1,40}(?![^\s&#"']))[^\s&#"'<>)]{6,}/y
const LONG_KEY = /(?=[\w-]{0,40}\d)[\w-]{20,}/y
const QUERY_VALUE = /[^\s"'&#;<>)]+/y

/** `pulumi config set --secret name x`: `--secret` is a flag, followed by the name. */
const PULUMI = /\bpulumi\s[^\n|;&]{0,100}$/
/** `gcloud secrets versions access latest --secret=name` */
const GCLOUD = /\bgcloud\s[^\n|;&]{0,100}$/
const isSecretFlag = ({ text, small, start }: NameValuePair): boolean =>
  small === '--secret' && [PULUMI, GCLOUD].some(exp => exp.test(text.slice(Math.max(start - 110, 0), start)))

const isAssignment = ({ mark }: NameValuePair): boolean => mark === '='
const endsWithSign = (mark: string, sign: string): boolean => mark.replace(/[\s\\]+$/, '').endsWith(sign)
const charBefore = ({ text, start }: NameValuePair): string => text[start - 1] ?? ''
const isHeaderOption = ({ text, name, start }: NameValuePair): boolean =>
  name.startsWith('-H') || HEADER_OPTION.test(text.slice(Math.max(start - 14, 0), start))
/** The quote that ends the header: it opens before the header or before its option. */
const quoteOf = ({ text, start, quote }: NameValuePair): string =>
  quote || (/(["'`])(?:-H|--header)[\s=]{0,3}$/.exec(text.slice(Math.max(start - 14, 0), start))?.[1] ?? '')
/** `define('X', 'x')`: a quoted first argument of a call. In a list, the name is an ordinary word. */
const isCallArgument = ({ text, start, mark }: NameValuePair): boolean =>
  /^\\?["'`]/.test(mark) && /\(\s?\\?["'`]$/.test(text.slice(Math.max(start - 4, 0), start))
const isSecret = ({ text, name, small, at }: NameValuePair): boolean =>
  isSecretName(name) && isSecretValueAt(text, at, small)

const optionPair: PairKind = {
  is: ({ mark }) => mark === '',
  secret: pair => {
    const { text, name, small, at } = pair
    if (text[at] === '-' || !isSecretOption(name) || !isSecretValueAt(text, at, small)) return undefined
    return REFERENCE_TO_SECRET.test(text.slice(at, at + 8)) || isSecretFlag(pair)
      ? undefined
      : matchSpan(SHELL_WORD, text, at)
  },
}

/** Keeps the scheme. */
const authorizationPair: PairKind = {
  is: ({ small, mark }) => small.endsWith('authorization') && /[:=][\s\\]*$/.test(mark),
  secret: ({ text, at, quote }) => {
    const opened = quote === '' && REST_OF_QUOTED[text[at] ?? ''] ? text[at] : quote
    const inner = opened === quote ? at : at + 1
    const scheme = SCHEME.exec(text.slice(inner, inner + 24).toLowerCase())?.[0] ?? ''
    const value = inner + scheme.length
    // only a search term: `rg "Authorization: Bearer"`
    if (SCHEME_ALONE.test(text.slice(inner, inner + 12))) return undefined
    return isSecretValueAt(text, value, '')
      ? matchSpan(REST_OF_QUOTED[opened ?? ''] ?? BARE_WORD, text, value)
      : undefined
  },
}

const cookiePair: PairKind = {
  is: ({ small, mark }) => small.endsWith('cookie') && endsWithSign(mark, ':'),
  secret: ({ text, at }) => matchSpan(COOKIES, text, REST_OF_QUOTED[text[at] ?? ''] ? at + 1 : at),
}

/** Query parameters. Some of these names are secret only in a query. */
const queryPair: PairKind = {
  is: pair => isAssignment(pair) && /[?&#;]/.test(charBefore(pair)),
  secret: ({ text, name, small, at }) => {
    if (small === 'code' || small === 'authorization_code') return matchSpan(AUTHORIZATION_CODE, text, at)
    if (small === 'key' || small === 'k') return matchSpan(LONG_KEY, text, at)
    if (!isSecretValueAt(text, at, small)) return undefined
    if (small === 'pwd' || small === 'pass' || isSecretName(name)) return matchSpan(ASSIGNED_VALUE, text, at)
    return isSecretQueryParameter(small) ? matchSpan(QUERY_VALUE, text, at) : undefined
  },
}

const headerPair: PairKind = {
  is: pair => pair.small.startsWith('x-') || (endsWithSign(pair.mark, ':') && isHeaderOption(pair)),
  secret: pair => {
    const { text, name, small, at, mark } = pair
    if (!isSecretHeader(name) || !isSecretValueAt(text, at, small)) return undefined
    if (mark.includes(',') && !isCallArgument(pair)) return undefined
    const whole = isHeaderOption(pair) ? REST_OF_QUOTED[quoteOf(pair)] : undefined
    return whole ? matchSpan(whole, text, at) : (matchSpan(QUOTED_VALUE, text, at) ?? matchSpan(BARE_WORD, text, at))
  },
}

/** `Pwd=x;` in a connection string, but not the shell's `PWD=/folder`. */
const pwdPair: PairKind = {
  is: ({ small }) => small === 'pwd',
  secret: pair => {
    const { text, at } = pair
    if (/[/~]/.test(text[at] ?? '') || !isSecretValueAt(text, at, 'password')) return undefined
    return matchSpan(isAssignment(pair) ? ASSIGNED_VALUE : QUOTED_VALUE, text, at)
  },
}

/** `{ user: 'u', pass: 'x' }`, `pass=x`; not the number of passing tests. */
const passPair: PairKind = {
  is: ({ small, mark }) => (small === 'pass' || small === 'psk' || small === 'bearer') && !mark.includes(','),
  secret: pair => {
    const { text, at, quote } = pair
    if (!isSecretValueAt(text, at, '')) return undefined
    return isAssignment(pair)
      ? matchSpan(REST_OF_QUOTED[quote] ?? ASSIGNED_VALUE, text, at)
      : matchSpan(QUOTED_VALUE, text, at)
  },
}

/** `{"auths":{"host":{"auth":"dTpw"}}}` */
const authPair: PairKind = {
  is: ({ small, mark }) => (small === 'auth' || small === '_auth') && /^["']/.test(mark),
  secret: ({ text, at }) => matchSpan(BASE64, text, at),
}

/** `bash -c 'TOKEN=x rm y'`: a command follows the value and must stay visible. */
const INLINE_SCRIPT = /(?:^|\s)(?:-\w{0,3}c|eval)\s{1,3}["'`]$/

/** In quotes, the value extends to the closing quote: `'DB_PASSWORD=a b'`, `'--password=a;b'`. */
const assignmentPair: PairKind = {
  is: isAssignment,
  secret: pair => {
    const { text, name, start, at, quote } = pair
    if (text[at] === '=' || !isSecret(pair) || isSecretFlag(pair) || (name.startsWith('-') && !isSecretOption(name)))
      return undefined
    const rest = INLINE_SCRIPT.test(text.slice(Math.max(start - 10, 0), start)) ? undefined : REST_OF_QUOTED[quote]
    return matchSpan(rest ?? (name.startsWith('--') ? SHELL_WORD : ASSIGNED_VALUE), text, at)
  },
}

const xmlElementPair: PairKind = {
  is: pair => pair.mark.trim() === '>',
  secret: pair => (charBefore(pair) === '<' && isSecret(pair) ? matchSpan(ELEMENT, pair.text, pair.at) : undefined),
}

/** `"password": "x"`, `token = 'x'`, `define('X', 'x')`; `password: x` on a separate line; `password: x1` anywhere. */
const plainPair: PairKind = {
  is: () => true,
  secret: pair => {
    const { text, start, at, mark } = pair
    if (!isSecret(pair)) return undefined
    const quoted = matchSpan(QUOTED_VALUE, text, at)
    if (mark.includes(',')) return isCallArgument(pair) ? quoted : undefined
    if (quoted || mark.includes('>')) return quoted
    const line = isLineStart(text, start) ? matchSpan(LAST_WORD_OF_LINE, text, at) : undefined
    const printed =
      !line && mark.includes('=') && isPrintedText(text, start) ? matchSpan(LAST_WORD_OF_TEXT, text, at) : undefined
    return line ?? printed ?? (mark.includes(':') ? matchSpan(WORD_WITH_DIGIT, text, at) : undefined)
  },
}

/** `echo "password = x"`: a line that is written to a file. */
function isPrintedText(text: string, start: number): boolean {
  let at = start
  while (at > 0 && at > start - 20 && ' \t'.includes(text[at - 1] ?? '')) at -= 1
  if (/["'`]/.test(text[at - 1] ?? '')) return at === 1 || /[\s($]/.test(text[at - 2] ?? '')
  return /\becho(?:\s{1,3}-\w{1,3})?$/.test(text.slice(Math.max(at - 12, 0), at))
}

function isLineStart(text: string, start: number): boolean {
  let at = start
  while (at > 0 && ' \t"\'-'.includes(text[at - 1] ?? '')) at -= 1
  // an action begins with its kind
  if (at === 3 && text.startsWith('run ')) return true
  return at === 0 || text[at - 1] === '\n' || (text[at - 1] === 'n' && text[at - 2] === '\\')
}

/** The first kind that matches applies. */
const PAIR_KINDS: readonly PairKind[] = [
  optionPair,
  authorizationPair,
  cookiePair,
  queryPair,
  headerPair,
  pwdPair,
  passPair,
  authPair,
  assignmentPair,
  xmlElementPair,
  plainPair,
]

/** A name and its value, before the name is checked. */
interface NameValuePair {
  readonly text: string
  readonly name: string
  /** the name in lower case */
  readonly small: string
  /** the separator: `=`, `: `, `" => `; empty after an option */
  readonly mark: string
  /** where the name begins */
  readonly start: number
  /** where the value begins */
  readonly at: number
  /** the quote before the name that is still open after it */
  readonly quote: string
}

const PAIR = /(?<![\w.-])(?:([\w.-]+)(\\?["'`]?\]?[ \t]{0,8}(?:=>|:=|[=:,>])(?:\\?[ \t]){0,8})|(-[\w.-]+)\s{1,3})/g
const isQuote = (sign: string): boolean => sign === '"' || sign === "'" || sign === '`'

/** `password=x`, `"token": "x"`, `X-Auth: x`, `--api-key x`, `<password>x</password>` */
export function redactPairs(text: string): string {
  const spans: TextSpan[] = []
  let count = 0
  PAIR.lastIndex = 0
  for (let found = PAIR.exec(text); found; found = PAIR.exec(text)) {
    const [whole, named, mark = '', option = ''] = found
    // the first letter belongs to an escaped line break
    const escaped = text[found.index - 1] === '\\' && /^[nrt]/.test(whole) ? 1 : 0
    const name = (named ?? option).slice(escaped)
    const start = found.index + escaped
    count += 1
    if (count > MAX_PARTS) return redactSpans(text, [...spans, { from: start, to: text.length }])
    const before = text[start - 1] ?? ''
    const quote = isQuote(before) && !/["'`]/.test(mark) ? before : ''
    const span = secretSpanOf({
      text,
      name,
      small: name.toLowerCase(),
      mark,
      start,
      at: found.index + whole.length,
      quote,
    })
    if (!span) continue
    spans.push(span)
    PAIR.lastIndex = span.to
  }
  return redactSpans(text, spans)
}

const secretSpanOf = (pair: NameValuePair): TextSpan | undefined => PAIR_KINDS.find(kind => kind.is(pair))?.secret(pair)
