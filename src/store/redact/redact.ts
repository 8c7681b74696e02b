import {
  mayHoldSecretArgument,
  redactCommandArguments,
  redactHereDocuments,
  redactPipedSecrets,
} from './commands/command-arguments.ts'
import { redactEnvFile } from './commands/env-file.ts'
import { redactAuthSchemes } from './text/auth-schemes.ts'
import { redactConfigLines } from './text/config-lines.ts'
import { redactPairs } from './text/pair-kinds.ts'
import { redactPrivateKeys } from './text/private-keys.ts'
import { redactBase64, redactTokens } from './text/tokens.ts'
import { redactUrls } from './text/urls.ts'

/** Words that most names of secrets contain, or that stand beside secrets; in lower case. */
const SECRET_KEYWORDS =
  /secret|token|pass(?!e|ing)|key|cred|signature|pwd|auth(?!or[^i])|cookie|bearer|basic|private|"kty|webhook|hooks\.|\.env|\.dev\.vars|jwt|service_role|bw_session|passwd|kinit|wpa_|restic|borg|upwd|assword|env add|login|add[_-]?user|setuser|sqlplus|encrypt_string|obscure|sudo|chpasswd|stdin|unseal|bw unlock|identified |bindpw|rootpw/
/** Signs without such words: credentials in a URL, query parameters, lines of `.pgpass`, parts of names. */
const SECRET_PUNCTUATION =
  /:\/\/[^\s/]*[@…]|[?&#;][\w-]{1,20}=|:[\d*]{1,5}:|::add-mask|[_[-](?:pat|salt|dsn|pw|otp|concealed)[\]=:\s]|psk|-h\s?["'`]?x-/i

/** A fast check. Most texts match nothing here and can only contain tokens. */
const mayHoldSecret = (text: string): boolean =>
  SECRET_KEYWORDS.test(text.toLowerCase()) ||
  (hasSecretPunctuation(text) && SECRET_PUNCTUATION.test(text)) ||
  mayHoldSecretArgument(text)

const hasSecretPunctuation = (text: string): boolean =>
  text.includes('=') || text.includes(':') || text.includes(' -') || text.includes('@')

/** Removes what looks like a secret. The name of the secret stays readable. */
export const redact = (text: string): string => {
  const bare = mayHoldSecret(text) ? REDACTION_STEPS.reduce((rest, hide) => hide(rest), text) : redactTokens(text)
  return bare.length < MIN_BASE64 ? bare : redactBase64(bare, redact)
}

const MIN_BASE64 = 24

const REDACTION_STEPS: readonly ((text: string) => string)[] = [
  redactPrivateKeys,
  redactTokens,
  redactUrls,
  redactPairs,
  redactAuthSchemes,
  redactConfigLines,
  redactPipedSecrets,
  redactHereDocuments,
  redactCommandArguments,
  redactEnvFile,
]
