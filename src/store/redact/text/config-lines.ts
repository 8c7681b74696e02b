import { isSecretName } from '../secret-names.ts'
import { isSecretValueAt, SHELL_WORD } from '../secret-values.ts'
import { redactSql } from './sql.ts'
import { matchSpan, REDACTED, redactSpans, type TextSpan } from './tokens.ts'

const NETRC =
  /(\blogin\s{1,10}\S{1,200}\s{1,10}(?:account\s{1,10}\S{1,200}\s{1,10})?password\s{1,10})(?![$<…]|required\b|\[redacted\])\S+/gi
/** `.pgpass`: host, port, database, user, password. */
const PGPASS =
  /((?:^|[\s"'])(?:(?=[\w.-]{0,100}[g-z.])[\w.-]{1,100}|\*):(?:\d{4,5}|\*):[^\s:"']{1,100}:[^\s:"']{1,100}:)(?![$<…])[^\s"']+/gim
/** `aws configure set name x`, `npm config set //registry/:_authToken x`, `ENV NAME x` */
const CONFIG_SET_COMMAND =
  /\b(?:config(?:ure)?\s{1,3}set|set\s{1,3}-\w{1,4}|setenv|setx|ENV|ARG|git\s{1,3}config(?:\s{1,3}--\w{1,20}){0,2})\s{1,3}["']?([\w./:@-]+)["']?\s{1,3}/gi

/** `auth=("user", "x")`, `HTTPBasicAuth('user', 'x')` */
const AUTH_TUPLE = /(auth\s{0,3}=?\s{0,3}\(\s{0,3}["'][^"'\n]{0,100}["']\s{0,3},\s{0,3})["'][^"'\n]{1,500}["']/gi
/** A command of redis and mail clients. Requires a digit, because `AUTH` also occurs in prose. */
const AUTH_COMMAND =
  /((?:^|["'\n]|\\n|\b(?:run|echo)\s)AUTH[ \t]{1,3}(?:[\w@.-]{1,60}[ \t]{1,3})?)(?=[^\s"'\\|;&<>]{0,60}\d)[^\s"'\\|;&<>[$…]+(?=\s{0,3}(?:$|["'\\|;&\n]))/gm
/** Lines of `redis.conf`, of `ldap.conf`, and of build logs. */
const PASSWORD_DIRECTIVE = /((?:^|\s)(?:requirepass|masterauth|bindpw|rootpw)\s{1,3}|::add-mask::)(?![$<…-])[^\s"']+/gim

/** `expect "assword:"; send "x\\r"` */
const EXPECT_SEND =
  /((?:assword|assphrase|asscode)[\s\S]{0,60}?\bsend(?:\s{1,3}--)?\s{1,3}\\?["'])(?![$\\…])[^"'\\\n]+(?=\\{1,2}[rn])/gi

/** Lines of files and commands in which only the position or a keyword shows the secret. */
export function redactConfigLines(text: string): string {
  const bare = /login\s/i.test(text) ? text.replace(NETRC, `$1${REDACTED}`) : text
  const keyless = /requirepass|masterauth|bindpw|rootpw|add-mask/i.test(bare)
    ? bare.replace(PASSWORD_DIRECTIVE, `$1${REDACTED}`)
    : bare
  const typed = /\bsend\s/.test(keyless) ? keyless.replace(EXPECT_SEND, `$1${REDACTED}`) : keyless
  const called = /auth|password|identified|pragma/i.test(typed)
    ? redactSql(typed.replace(AUTH_TUPLE, `$1${REDACTED}`).replace(AUTH_COMMAND, `$1${REDACTED}`))
    : typed
  const plain = /:[\d*]{1,5}:/.test(called) ? called.replace(PGPASS, `$1${REDACTED}`) : called
  return /config|setenv|setx|set\s-|env\s|arg\s/i.test(plain) ? redactConfigSetCommands(plain) : plain
}

function redactConfigSetCommands(text: string): string {
  const spans: (TextSpan | undefined)[] = [...text.matchAll(CONFIG_SET_COMMAND)].map(
    ({ 0: whole, 1: name = '', index }) => {
      const at = index + whole.length
      const isSecret =
        !name.startsWith('-') &&
        isSecretName(name) &&
        !/[=-]/.test(text[at] ?? '') &&
        isSecretValueAt(text, at, name.toLowerCase())
      return isSecret ? matchSpan(SHELL_WORD, text, at) : undefined
    },
  )
  return redactSpans(
    text,
    spans.filter(span => span !== undefined),
  )
}
