import { sha256 } from '../../lib/sha256.ts'
import type { AuditRecord } from '../store.ts'
import { redactAnswer } from './captured-answer.ts'
import {
  mayHoldSecretArgument,
  PRINT_ACTION,
  redactAcrossActions,
  redactCommandArguments,
  redactHereDocuments,
  redactPipedSecrets,
  SECRET_OPTION_HINT,
} from './commands/command-arguments.ts'
import { redactEnvFile } from './commands/env-file.ts'
import { redactAuthSchemes } from './text/auth-schemes.ts'
import { redactConfigLines } from './text/config-lines.ts'
import { redactPairs } from './text/pair-kinds.ts'
import { redactPrivateKeys } from './text/private-keys.ts'
import { REDACTED, redactBase64, redactTokens } from './text/tokens.ts'
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
  (SECRET_OPTION_HINT.test(text) && mayHoldSecretArgument(text))

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

const MAX_TEXT = 200
/** a reason is mostly text of the policy */
const MAX_REASON = 4000
/** the number of recorded actions; a few more are read, because the command that gets a secret can follow the last recorded action */
const MAX_ACTIONS = 20
const EXTRA_ACTIONS = 4
/** shorter than any secret that can be recognised */
const SHORTEST_SECRET = 12
/** Text beyond this length is only counted: a hook has no time to search megabytes for secrets. */
const MAX_READ = 64_000

/** The record without secrets and with limited lengths. Most records stay unchanged. */
export function redactRecord(record: AuditRecord): AuditRecord {
  const session = redactSessionId(record.session)
  const name = redactCached(record.name)
  const caller = redactCached(record.caller)
  const agent = record.agent && redactSessionId(record.agent)
  const tool = record.tool && redactCached(record.tool)
  const root = record.root && redactCached(record.root)
  const hide = createActionMask(record.acts)
  const reason = record.reason && redactCached(hide(record.reason), MAX_REASON)
  const captured =
    record.captured &&
    redactAndTruncate(record.captured, MAX_REASON, all => redactAnswer(all, text => redact(hide(text))))
  const actionTexts = redactActions(maskAll(record.acts, hide))
  const line = record.line === undefined ? undefined : redactLine(record.line, record.acts, actionTexts, hide)
  const notes = redactAll(maskAll(record.notes, hide))
  const errors = redactAll(maskAll(record.errors, hide))
  const written = { session, name, caller, agent, tool, root, reason, captured, acts: actionTexts, line, notes, errors }
  const changed = Object.entries(written).filter(([key, value]) => value !== record[key as keyof typeof written])
  return changed.length === 0 ? record : { ...record, ...Object.fromEntries(changed) }
}

/** A longer line is not stored: its actions describe it. */
const MAX_LINE = 2000
const HERE_DOCUMENT = /(<<-?[ \t]*(["']?)([\w.-]+)\2[^\n]*)\n(?:[\s\S]*?\n)?[ \t]*\3(?=\n|$)/g
/** Whether the line has a here-document without an end. */
const hasOpenHereDocument = (line: string): boolean => /(?<!<)<<(?!<)[^\n]*(?<! …)\n/.test(line)

/** The line without secrets and without here-documents. Undefined if it is safer not to store the line. */
function redactLine(
  line: string,
  actionTexts: readonly string[],
  redacted: readonly string[],
  hide: (text: string) => string,
): string | undefined {
  const bare = line.length > MAX_READ ? line : line.replace(HERE_DOCUMENT, '$1 …')
  if (actionTexts.length > MAX_ACTIONS || bare.length > MAX_LINE || hasOpenHereDocument(bare)) return undefined
  const hidden = redact(hide(bare))
  const lost = actionTexts.flatMap((actionText, nth) =>
    redacted[nth] === actionText ? [] : redactedWordsOf(actionText, redactWhole(actionText, redacted[nth] ?? '')),
  )
  if (lost.length > 0 && (hidden === bare || lost.some(word => hidden.includes(word)))) return undefined
  return hidden
}

/** The words that were redacted in an action: they must not appear in the line. */
const redactedWordsOf = (actionText: string, redacted: string): readonly string[] =>
  wordsOf(actionText).filter(word => word.length > 2 && !redacted.includes(word))

/** Words that were only cut off were not redacted, so the whole action is redacted again. */
const redactWhole = (actionText: string, redacted: string): string =>
  redacted.includes(', sha256 ') ? redact(actionText.slice(0, MAX_READ)) : redacted

const wordsOf = (text: string): readonly string[] => text.split(/[\s'"\\]+/)

/** The project root as records contain it. */
export const redactRoot = (root: string): string => redactCached(root)

/** Tool names and policy texts repeat, and every call comes twice: before and after. So results are cached. */
function redactCached(text: string, longest = MAX_TEXT): string {
  const known = redactCache.get(text)
  if (known !== undefined) return known
  const redacted = redactAndTruncate(text, longest)
  if (redactCache.size > MAX_CACHED) redactCache.clear()
  if (text.length < MAX_CACHED_LENGTH) redactCache.set(text, redacted)
  return redacted
}

const redactCache = new Map<string, string>()
const MAX_CACHED = 256
const MAX_CACHED_LENGTH = 4000

function redactActions(actionTexts: readonly string[]): readonly string[] {
  const [only = '', second] = actionTexts
  if (second === undefined && !PRINT_ACTION.test(only)) return redactAll(actionTexts)
  if (actionTexts.length <= MAX_ACTIONS) return redactAll(redactAcrossActions(actionTexts))
  const first = redactAcrossActions(actionTexts.slice(0, MAX_ACTIONS + EXTRA_ACTIONS)).slice(0, MAX_ACTIONS)
  const rest = actionTexts.slice(MAX_ACTIONS).join('\n')
  return [
    ...redactAll(first),
    `… and ${actionTexts.length - MAX_ACTIONS} more (sha256 ${hashRedacted(rest, redact(rest.slice(0, MAX_READ)))})`,
  ]
}

/** A secret in one action is redacted in all of them: `wget --password x` may also be parsed as a fetch of `x`. */
const createActionMask = (actionTexts: readonly string[]): ((text: string) => string) =>
  createSecretMask(
    actionTexts.slice(0, MAX_ACTIONS + EXTRA_ACTIONS).filter(actionText => redactCached(actionText) !== actionText),
  )

function maskAll(texts: readonly string[], hide: (text: string) => string): readonly string[] {
  const bare = texts.map(hide)
  return bare.every((text, nth) => text === texts[nth]) ? texts : bare
}

/** Returns the same list if nothing changes. */
function redactAll(texts: readonly string[]): readonly string[] {
  const redacted = texts.map(text => redactCached(text))
  return redacted.every((text, nth) => text === texts[nth]) ? texts : redacted
}

/** Redacts before truncating, so that no half of a secret is left. The hash allows to check later whether it was this text. */
export function redactAndTruncate(text: string, longest = MAX_TEXT, hide = redact): string {
  if (text.length <= SHORTEST_SECRET) return text
  const bare = hide(text.slice(0, MAX_READ))
  if (text.length <= longest) return bare
  const hash = hashRedacted(text, bare)
  const begins = text.length > MAX_READ && bare.length <= longest ? dropLastWord(bare) : bare.slice(0, longest)
  return `${begins}… (${text.length} characters, sha256 ${hash})`
}

/** Hashes the redacted text: a short secret could be guessed from the hash. A text too long to read is too long to guess. */
const hashRedacted = (text: string, bare: string): string => sha256(text.length > MAX_READ ? text : bare)

/** Drops the last word: half of a secret, cut where reading ended, may not be recognised. */
const dropLastWord = (text: string): string =>
  text.slice(0, Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n')) + 1)

/** Characters that control a terminal or the direction of text. */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** Session ids come from the client and can contain anything. */
export const redactSessionId = (id: string): string =>
  redactCached(id.replace(CONTROL_CHARACTERS, '\ufffd')).slice(0, MAX_TEXT)

/** Shorter secrets occur inside many words. Beside their name they are redacted anyway. */
const MIN_SECRET = 4
const LONG_SECRET = 10
/** The displayed part of an event is much shorter. */
const MAX_SEARCHED = 64_000

/** Returns a function that redacts the secrets of `value` in any text, even a secret without its name or a truncated secret. */
export function createMask(value: unknown): (text: string) => string {
  const hide = createSecretMask(value)
  return text => hide(text).split('\n').map(redact).join('\n')
}

/** Like `createMask`, but leaves everything else in the text unchanged. */
export function createSecretMask(value: unknown): (text: string) => string {
  const texts = collectTexts(value).map(text => text.slice(0, MAX_SEARCHED))
  const found = new Set(texts.flatMap(findSecrets))
  const secrets = [...found].filter(text => text.length >= MIN_SECRET).sort((a, b) => b.length - a.length)
  if (secrets.length === 0) return text => text
  const glued = new Map(secrets.map(secret => [secret, gluesOf(secret, texts)]))
  return text =>
    secrets
      .reduce((redacted, secret) => maskSecret(redacted, secret, glued.get(secret)), text)
      .replace(/[^…]*…/g, piece => maskTruncatedSecret(piece, secrets))
}

/** A short secret is redacted only as a whole word, or after a prefix it has in the event: `-p` in `mysql -px`. */
function maskSecret(text: string, secret: string, glues: readonly string[] = []): string {
  if (secret.length >= LONG_SECRET || !text.includes(secret)) return text.replaceAll(secret, REDACTED)
  const before = ['', ...glues].map(literal).join('|')
  return text.replace(new RegExp(`(?<![\\w-])(${before})${literal(secret)}(?![\\w-])`, 'g'), `$1${REDACTED}`)
}

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The prefixes that the secret follows without a space in the event. */
function gluesOf(secret: string, texts: readonly string[]): readonly string[] {
  if (secret.length >= LONG_SECRET) return []
  const pattern = new RegExp(`(?<![\\w-])([\\w-]+)${literal(secret)}(?![\\w-])`, 'g')
  return [...new Set(texts.flatMap(text => [...text.matchAll(pattern)].map(([, glue = '']) => glue)))]
}

/** Applies `hide` to every string of the value. */
export const maskStrings = (value: unknown, hide: (text: string) => string): unknown =>
  JSON.parse(JSON.stringify(value), (_, item: unknown) => (typeof item === 'string' ? hide(item) : item))

/** Collects every string, also in the form `name=value`, because the name often shows that the value is secret. */
function collectTexts(value: unknown, name?: string): readonly string[] {
  if (typeof value === 'string') return name === undefined ? [value] : [value, `${name}=${value}`]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(item => collectTexts(item))
  return Object.entries(value).flatMap(([key, one]) => collectTexts(one, key))
}

/** The parts that `redact` removes, in all displayed forms: as is, on one line, JSON-escaped, line by line. */
function findSecrets(text: string): readonly string[] {
  const parts = redact(text).split(REDACTED)
  if (parts.length < 2) return []
  const found: string[] = []
  let at = parts[0]?.length ?? 0
  for (const [nth, piece] of parts.slice(1).entries()) {
    const isLast = nth === parts.length - 2
    const end = isLast ? text.length - piece.length : text.indexOf(piece, at + 1)
    // the piece is not found because redactions overlap: treat the rest as one secret
    found.push(text.slice(at, end < 0 ? undefined : end))
    if (end < 0) break
    at = end + piece.length
  }
  return found.flatMap(name => [
    name,
    name.replace(/\s+/g, ' ').trim(),
    JSON.stringify(name).slice(1, -1),
    ...name.split('\n').map(line => line.trim()),
  ])
}

/** Redacts the beginning of a secret in front of `…`, where a text was truncated. */
function maskTruncatedSecret(piece: string, secrets: readonly string[]): string {
  const text = piece.slice(0, -1)
  for (const secret of secrets)
    for (let length = Math.min(secret.length, text.length); length >= MIN_SECRET; length--)
      if (text.endsWith(secret.slice(0, length))) return `${text.slice(0, -length)}${REDACTED}…`
  return piece
}
