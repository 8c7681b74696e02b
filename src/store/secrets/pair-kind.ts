import { isSecretHeader, isSecretName, isSecretOption, isSecretQuery } from './name.ts'
import type { Pair } from './pair.ts'
import { type Span, spanOf } from './span.ts'
import { BARE_WORD, IN_QUOTES, isSecretAt, LAST_OF_TEXT, LAST_WORD, REST, VALUE, WITH_DIGIT, WORD } from './value.ts'

interface Kind {
  readonly is: (pair: Pair) => boolean
  /** what of it is secret */
  readonly secret: (pair: Pair) => Span | undefined
}

const SCHEME =
  /^(?:bearer|basic|token|digest|apikey|negotiate|ntlm|hawk|oauth|dpop|bot|jwt|key|sharedkey|signature|aws4-hmac-sha256)\\?\s{1,3}/
const SCHEME_ALONE = /^(?:bearer|basic|digest)["'`]/i
const FLAG = /(?:^|[\s"'`])(?:-H|--header)[\s=]{0,3}["'`]?$/
const COOKIES = /(?=[\w.-]{1,100}=)[^"'\n]+/y
const BASE64 = /"[\w+/=.-]{4,}"/y
const ELEMENT = /[^<\n]+(?=<)/y
/** `docker build --secret id=x`, `openssl -pass env:X`: where it is, not what. */
const ELSEWHERE = /^(?:(?:id|src|source|type)=|(?:pass|env|file|fd|stdin)(?:[:\s]|$))/
/** What stands for a country or an error is no code to log in with. */
const CODE = /(?![A-Z_]{1,40}(?![^\s&#"']))[^\s&#"'<>)]{6,}/y
const LONG_KEY = /(?=[\w-]{0,40}\d)[\w-]{20,}/y
const OF_A_QUERY = /[^\s"'&#;<>)]+/y

/** `pulumi config set --secret name x`: a flag, and behind it the name. */
const PULUMI = /\bpulumi\s[^\n|;&]{0,100}$/
/** `gcloud secrets versions access latest --secret=name` */
const GCLOUD = /\bgcloud\s[^\n|;&]{0,100}$/
const isFlag = ({ text, small, start }: Pair): boolean =>
  small === '--secret' && [PULUMI, GCLOUD].some(one => one.test(text.slice(Math.max(start - 110, 0), start)))

const isTight = ({ mark }: Pair): boolean => mark === '='
const ends = (mark: string, sign: string): boolean => mark.replace(/[\s\\]+$/, '').endsWith(sign)
const before = ({ text, start }: Pair): string => text[start - 1] ?? ''
const isFlagged = ({ text, name, start }: Pair): boolean =>
  name.startsWith('-H') || FLAG.test(text.slice(Math.max(start - 14, 0), start))
/** The quote that ends with the header: in front of it, or of its option. */
const quoteOf = ({ text, start, quote }: Pair): string =>
  quote || (/(["'`])(?:-H|--header)[\s=]{0,3}$/.exec(text.slice(Math.max(start - 14, 0), start))?.[1] ?? '')
/** `define('X', 'x')`: the first of a call's, in quotes; in a list a name is a word like any other. */
const isArgument = ({ text, start, mark }: Pair): boolean =>
  /^\\?["'`]/.test(mark) && /\(\s?\\?["'`]$/.test(text.slice(Math.max(start - 4, 0), start))
const isSecret = ({ text, name, small, at }: Pair): boolean => isSecretName(name) && isSecretAt(text, at, small)

const option: Kind = {
  is: ({ mark }) => mark === '',
  secret: pair => {
    const { text, name, small, at } = pair
    if (text[at] === '-' || !isSecretOption(name) || !isSecretAt(text, at, small)) return undefined
    return ELSEWHERE.test(text.slice(at, at + 8)) || isFlag(pair) ? undefined : spanOf(WORD, text, at)
  },
}

/** The scheme stays. */
const authorization: Kind = {
  is: ({ small, mark }) => small.endsWith('authorization') && /[:=][\s\\]*$/.test(mark),
  secret: ({ text, at, quote }) => {
    const opened = quote === '' && REST[text[at] ?? ''] ? text[at] : quote
    const inner = opened === quote ? at : at + 1
    const scheme = SCHEME.exec(text.slice(inner, inner + 24).toLowerCase())?.[0] ?? ''
    const value = inner + scheme.length
    // what is looked for, and no more: `rg "Authorization: Bearer"`
    if (SCHEME_ALONE.test(text.slice(inner, inner + 12))) return undefined
    return isSecretAt(text, value, '') ? spanOf(REST[opened ?? ''] ?? BARE_WORD, text, value) : undefined
  },
}

const cookie: Kind = {
  is: ({ small, mark }) => small.endsWith('cookie') && ends(mark, ':'),
  secret: ({ text, at }) => spanOf(COOKIES, text, REST[text[at] ?? ''] ? at + 1 : at),
}

/** Some names are nothing elsewhere. */
const query: Kind = {
  is: pair => isTight(pair) && /[?&#;]/.test(before(pair)),
  secret: ({ text, name, small, at }) => {
    if (small === 'code' || small === 'authorization_code') return spanOf(CODE, text, at)
    if (small === 'key' || small === 'k') return spanOf(LONG_KEY, text, at)
    if (!isSecretAt(text, at, small)) return undefined
    if (small === 'pwd' || small === 'pass' || isSecretName(name)) return spanOf(VALUE, text, at)
    return isSecretQuery(small) ? spanOf(OF_A_QUERY, text, at) : undefined
  },
}

const header: Kind = {
  is: pair => pair.small.startsWith('x-') || (ends(pair.mark, ':') && isFlagged(pair)),
  secret: pair => {
    const { text, name, small, at, mark } = pair
    if (!isSecretHeader(name) || !isSecretAt(text, at, small)) return undefined
    if (mark.includes(',') && !isArgument(pair)) return undefined
    const whole = isFlagged(pair) ? REST[quoteOf(pair)] : undefined
    return whole ? spanOf(whole, text, at) : (spanOf(IN_QUOTES, text, at) ?? spanOf(BARE_WORD, text, at))
  },
}

/** `Pwd=x;` of a connection string, never the shell's own `PWD=/folder`. */
const pwd: Kind = {
  is: ({ small }) => small === 'pwd',
  secret: pair => {
    const { text, at } = pair
    if (/[/~]/.test(text[at] ?? '') || !isSecretAt(text, at, 'password')) return undefined
    return spanOf(isTight(pair) ? VALUE : IN_QUOTES, text, at)
  },
}

/** `{ user: 'u', pass: 'x' }`, `pass=x`; not how many tests pass. */
const pass: Kind = {
  is: ({ small, mark }) => (small === 'pass' || small === 'psk' || small === 'bearer') && !mark.includes(','),
  secret: pair => {
    const { text, at, quote } = pair
    if (!isSecretAt(text, at, '')) return undefined
    return isTight(pair) ? spanOf(REST[quote] ?? VALUE, text, at) : spanOf(IN_QUOTES, text, at)
  },
}

/** `{"auths":{"host":{"auth":"dTpw"}}}` */
const auth: Kind = {
  is: ({ small, mark }) => (small === 'auth' || small === '_auth') && /^["']/.test(mark),
  secret: ({ text, at }) => spanOf(BASE64, text, at),
}

/** `bash -c 'TOKEN=x rm y'`: what follows the value is a command, and must be seen. */
const SCRIPT = /(?:^|\s)(?:-\w{0,3}c|eval)\s{1,3}["'`]$/

/** A word in quotes is a value to its end: `'DB_PASSWORD=a b'`, `'--password=a;b'`. */
const assigned: Kind = {
  is: isTight,
  secret: pair => {
    const { text, name, start, at, quote } = pair
    if (text[at] === '=' || !isSecret(pair) || isFlag(pair) || (name.startsWith('-') && !isSecretOption(name)))
      return undefined
    const rest = SCRIPT.test(text.slice(Math.max(start - 10, 0), start)) ? undefined : REST[quote]
    return spanOf(rest ?? (name.startsWith('--') ? WORD : VALUE), text, at)
  },
}

const element: Kind = {
  is: pair => pair.mark.trim() === '>',
  secret: pair => (before(pair) === '<' && isSecret(pair) ? spanOf(ELEMENT, pair.text, pair.at) : undefined),
}

/** `"password": "x"`, `token = 'x'`, `define('X', 'x')`; `password: x` on a line of its own; `password: x1` anywhere. */
const written: Kind = {
  is: () => true,
  secret: pair => {
    const { text, start, at, mark } = pair
    if (!isSecret(pair)) return undefined
    const quoted = spanOf(IN_QUOTES, text, at)
    if (mark.includes(',')) return isArgument(pair) ? quoted : undefined
    if (quoted || mark.includes('>')) return quoted
    const line = isLine(text, start) ? spanOf(LAST_WORD, text, at) : undefined
    const printed = !line && mark.includes('=') && isText(text, start) ? spanOf(LAST_OF_TEXT, text, at) : undefined
    return line ?? printed ?? (mark.includes(':') ? spanOf(WITH_DIGIT, text, at) : undefined)
  },
}

/** `echo "password = x"`: a line that is written somewhere. */
function isText(text: string, start: number): boolean {
  let at = start
  while (at > 0 && at > start - 20 && ' \t'.includes(text[at - 1] ?? '')) at -= 1
  if (/["'`]/.test(text[at - 1] ?? '')) return at === 1 || /[\s($]/.test(text[at - 2] ?? '')
  return /\becho(?:\s{1,3}-\w{1,3})?$/.test(text.slice(Math.max(at - 12, 0), at))
}

function isLine(text: string, start: number): boolean {
  let at = start
  while (at > 0 && ' \t"\'-'.includes(text[at - 1] ?? '')) at -= 1
  // an act begins with what it does
  if (at === 3 && text.startsWith('run ')) return true
  return at === 0 || text[at - 1] === '\n' || (text[at - 1] === 'n' && text[at - 2] === '\\')
}

/** The first that it is. */
export const KINDS: readonly Kind[] = [
  option,
  authorization,
  cookie,
  query,
  header,
  pwd,
  pass,
  auth,
  assigned,
  element,
  written,
]
