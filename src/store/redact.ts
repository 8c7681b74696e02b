import { hideWrapped } from './secrets/base64.ts'
import { hideInCommands, mayFollowHabit } from './secrets/command.ts'
import { hideEnvFile } from './secrets/env-file.ts'
import { hideGiven, hidePiped } from './secrets/fed.ts'
import { hideKeys } from './secrets/key.ts'
import { hideInLines } from './secrets/line.ts'
import { hidePairs } from './secrets/pair.ts'
import { hideSchemes } from './secrets/scheme.ts'
import { hideTokens } from './secrets/token.ts'
import { hideInUrls } from './secrets/url.ts'

/** What most names of secrets hold, or the keyword beside them; in small letters. */
const WORDS =
  /secret|token|pass(?!e|ing)|key|cred|signature|pwd|auth(?!or[^i])|cookie|bearer|basic|private|"kty|webhook|hooks\.|\.env|\.dev\.vars|jwt|service_role|bw_session|passwd|kinit|wpa_|restic|borg|upwd|assword|env add|login|add[_-]?user|setuser|sqlplus|encrypt_string|obscure|sudo|chpasswd|stdin|unseal|bw unlock|identified |bindpw|rootpw/
/** What shows without words: credentials of a URL, parts of a query, lines of `.pgpass`, parts of names. */
const MARKS =
  /:\/\/[^\s/]*[@…]|[?&#;][\w-]{1,20}=|:[\d*]{1,5}:|::add-mask|[_[-](?:pat|salt|dsn|pw|otp|concealed)[\]=:\s]|psk|-h\s?["'`]?x-/i

/** Texts without any of this hold tokens at most: most of them, and they cost a look or two. */
const isSuspect = (text: string): boolean =>
  WORDS.test(text.toLowerCase()) || (hasMark(text) && MARKS.test(text)) || mayFollowHabit(text)

const hasMark = (text: string): boolean =>
  text.includes('=') || text.includes(':') || text.includes(' -') || text.includes('@')

/** The text without what looks like a secret. What it was the secret of stays readable. */
export const redact = (text: string): string => {
  const bare = isSuspect(text) ? STEPS.reduce((rest, hide) => hide(rest), text) : hideTokens(text)
  return bare.length < SHORTEST_WRAPPED ? bare : hideWrapped(bare, redact)
}

const SHORTEST_WRAPPED = 24

const STEPS: readonly ((text: string) => string)[] = [
  hideKeys,
  hideTokens,
  hideInUrls,
  hidePairs,
  hideSchemes,
  hideInLines,
  hidePiped,
  hideGiven,
  hideInCommands,
  hideEnvFile,
]
