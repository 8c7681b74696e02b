import { isSecretName } from './name.ts'
import { HIDDEN, type Span, spanOf, withoutSpans } from './span.ts'
import { isSecretAt, WORD } from './value.ts'

const NETRC =
  /(\blogin\s{1,10}\S{1,200}\s{1,10}(?:account\s{1,10}\S{1,200}\s{1,10})?password\s{1,10})(?![$<…]|required\b|\[redacted\])\S+/gi
/** Host, port, database, user, password. */
const PGPASS =
  /((?:^|[\s"'])(?:(?=[\w.-]{0,100}[g-z.])[\w.-]{1,100}|\*):(?:\d{4,5}|\*):[^\s:"']{1,100}:[^\s:"']{1,100}:)(?![$<…])[^\s"']+/gim
/** `aws configure set name x`, `npm config set //registry/:_authToken x`, `ENV NAME x` */
const SET =
  /\b(?:config(?:ure)?\s{1,3}set|setenv|setx|ENV|ARG|git\s{1,3}config(?:\s{1,3}--\w{1,20}){0,2})\s{1,3}["']?([\w./:@-]+)["']?\s{1,3}/gi

/** Lines of files and commands in which only a place or a keyword tells. */
export function hideInLines(text: string): string {
  const bare = /login\s/i.test(text) ? text.replace(NETRC, `$1${HIDDEN}`) : text
  const plain = /:[\d*]{1,5}:/.test(bare) ? bare.replace(PGPASS, `$1${HIDDEN}`) : bare
  return /config|setenv|setx|env\s|arg\s/i.test(plain) ? hideSettings(plain) : plain
}

function hideSettings(text: string): string {
  const spans: (Span | undefined)[] = [...text.matchAll(SET)].map(({ 0: whole, 1: name = '', index }) => {
    const at = index + whole.length
    const isSecret = isSecretName(name) && !/[=-]/.test(text[at] ?? '') && isSecretAt(text, at, name.toLowerCase())
    return isSecret ? spanOf(WORD, text, at) : undefined
  })
  return withoutSpans(
    text,
    spans.filter(span => span !== undefined),
  )
}
