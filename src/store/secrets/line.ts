import { isSecretName } from './name.ts'
import { HIDDEN, type Span, spanOf, withoutSpans } from './span.ts'
import { hideSql } from './sql.ts'
import { isSecretAt, WORD } from './value.ts'

const NETRC =
  /(\blogin\s{1,10}\S{1,200}\s{1,10}(?:account\s{1,10}\S{1,200}\s{1,10})?password\s{1,10})(?![$<…]|required\b|\[redacted\])\S+/gi
/** Host, port, database, user, password. */
const PGPASS =
  /((?:^|[\s"'])(?:(?=[\w.-]{0,100}[g-z.])[\w.-]{1,100}|\*):(?:\d{4,5}|\*):[^\s:"']{1,100}:[^\s:"']{1,100}:)(?![$<…])[^\s"']+/gim
/** `aws configure set name x`, `npm config set //registry/:_authToken x`, `ENV NAME x` */
const SET =
  /\b(?:config(?:ure)?\s{1,3}set|set\s{1,3}-\w{1,4}|setenv|setx|ENV|ARG|git\s{1,3}config(?:\s{1,3}--\w{1,20}){0,2})\s{1,3}["']?([\w./:@-]+)["']?\s{1,3}/gi

/** `auth=("user", "x")`, `HTTPBasicAuth('user', 'x')` */
const AUTH = /(auth\s{0,3}=?\s{0,3}\(\s{0,3}["'][^"'\n]{0,100}["']\s{0,3},\s{0,3})["'][^"'\n]{1,500}["']/gi
/** A redis client sends it, a mail client too; a word with a digit, for the word is one of prose as well. */
const SENT =
  /((?:^|["'\n]|\\n|\b(?:run|echo)\s)AUTH[ \t]{1,3}(?:[\w@.-]{1,60}[ \t]{1,3})?)(?=[^\s"'\\|;&<>]{0,60}\d)[^\s"'\\|;&<>[$…]+(?=\s{0,3}(?:$|["'\\|;&\n]))/gm
/** Lines of `redis.conf`, `ldap.conf` and of a build's log. */
const KEYWORD = /((?:^|\s)(?:requirepass|masterauth|bindpw|rootpw)\s{1,3}|::add-mask::)(?![$<…-])[^\s"']+/gim

/** `expect "assword:"; send "x\\r"` */
const TYPED =
  /((?:assword|assphrase|asscode)[\s\S]{0,60}?\bsend(?:\s{1,3}--)?\s{1,3}\\?["'])(?![$\\…])[^"'\\\n]+(?=\\{1,2}[rn])/gi

/** Lines of files and commands in which only a place or a keyword tells. */
export function hideInLines(text: string): string {
  const bare = /login\s/i.test(text) ? text.replace(NETRC, `$1${HIDDEN}`) : text
  const keyless = /requirepass|masterauth|bindpw|rootpw|add-mask/i.test(bare)
    ? bare.replace(KEYWORD, `$1${HIDDEN}`)
    : bare
  const typed = /\bsend\s/.test(keyless) ? keyless.replace(TYPED, `$1${HIDDEN}`) : keyless
  const called = /auth|password|identified|pragma/i.test(typed)
    ? hideSql(typed.replace(AUTH, `$1${HIDDEN}`).replace(SENT, `$1${HIDDEN}`))
    : typed
  const plain = /:[\d*]{1,5}:/.test(called) ? called.replace(PGPASS, `$1${HIDDEN}`) : called
  return /config|setenv|setx|set\s-|env\s|arg\s/i.test(plain) ? hideSettings(plain) : plain
}

function hideSettings(text: string): string {
  const spans: (Span | undefined)[] = [...text.matchAll(SET)].map(({ 0: whole, 1: name = '', index }) => {
    const at = index + whole.length
    const isSecret =
      !name.startsWith('-') &&
      isSecretName(name) &&
      !/[=-]/.test(text[at] ?? '') &&
      isSecretAt(text, at, name.toLowerCase())
    return isSecret ? spanOf(WORD, text, at) : undefined
  })
  return withoutSpans(
    text,
    spans.filter(span => span !== undefined),
  )
}
