import { REDACTED } from './tokens.ts'

const PEM =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g
const PUTTY = /(Private-Lines:\s{0,3}\d{1,5}\s{1,3})[\s\S]*?(?=\s{0,3}Private-MAC|$)/g
/** The private parts of a JSON Web Key. */
const JWK = /("(?:d|p|q|dp|dq|qi|k)"\s{0,3}:\s{0,3})"[^"\n]+"?/g

const KEY_HINT = /PRIVATE KEY|Private-Lines|"kty"/

/** Redacts private keys, complete or truncated. */
export function redactPrivateKeys(text: string): string {
  if (!KEY_HINT.test(text)) return text
  const bare = text.replace(PEM, REDACTED).replace(PUTTY, `$1${REDACTED}`)
  return bare.includes('"kty"') ? bare.replace(JWK, `$1${REDACTED}`) : bare
}
