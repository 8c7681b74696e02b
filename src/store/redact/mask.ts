import { redact } from './redact.ts'
import { REDACTED } from './span.ts'

/** Shorter secrets occur inside many words. Beside their name they are redacted anyway. */
const MIN_SECRET = 4
const LONG_SECRET = 10
/** The displayed part of an event is much shorter. */
const MAX_READ = 64_000

/** Returns a function that redacts the secrets of `value` in any text, even a secret without its name or a truncated secret. */
export function createMask(value: unknown): (text: string) => string {
  const hide = createSecretMask(value)
  return text => hide(text).split('\n').map(redact).join('\n')
}

/** Like `createMask`, but leaves everything else in the text unchanged. */
export function createSecretMask(value: unknown): (text: string) => string {
  const texts = collectTexts(value).map(text => text.slice(0, MAX_READ))
  const found = new Set(texts.flatMap(findSecrets))
  const secrets = [...found].filter(one => one.length >= MIN_SECRET).sort((a, b) => b.length - a.length)
  if (secrets.length === 0) return text => text
  const glued = new Map(secrets.map(one => [one, gluesOf(one, texts)]))
  return text =>
    secrets
      .reduce((kept, one) => maskSecret(kept, one, glued.get(one)), text)
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
  JSON.parse(JSON.stringify(value), (_, one: unknown) => (typeof one === 'string' ? hide(one) : one))

/** Collects every string, also in the form `name=value`, because the name often shows that the value is secret. */
function collectTexts(value: unknown, name?: string): readonly string[] {
  if (typeof value === 'string') return name === undefined ? [value] : [value, `${name}=${value}`]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(one => collectTexts(one))
  return Object.entries(value).flatMap(([key, one]) => collectTexts(one, key))
}

/** The parts that `redact` removes, in all displayed forms: as is, on one line, JSON-escaped, line by line. */
function findSecrets(text: string): readonly string[] {
  const kept = redact(text).split(REDACTED)
  if (kept.length < 2) return []
  const found: string[] = []
  let at = kept[0]?.length ?? 0
  for (const [nth, piece] of kept.slice(1).entries()) {
    const isLast = nth === kept.length - 2
    const end = isLast ? text.length - piece.length : text.indexOf(piece, at + 1)
    // the piece is not found because redactions overlap: treat the rest as one secret
    found.push(text.slice(at, end < 0 ? undefined : end))
    if (end < 0) break
    at = end + piece.length
  }
  return found.flatMap(one => [
    one,
    one.replace(/\s+/g, ' ').trim(),
    JSON.stringify(one).slice(1, -1),
    ...one.split('\n').map(line => line.trim()),
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
