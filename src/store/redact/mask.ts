import { redact } from './redact.ts'
import { REDACTED } from './span.ts'

/** Shorter ones are parts of many words: beside their name they are hidden anyway. */
const MIN_SECRET = 4
const LONG_SECRET = 10
/** What is shown of an event is shorter by far. */
const MAX_READ = 64_000

/** Hides in any text that is made of this value what is a secret in it: also where it stands alone, or was cut in the middle. */
export function createMask(value: unknown): (text: string) => string {
  const hide = createSecretMask(value)
  return text => hide(text).split('\n').map(redact).join('\n')
}

/** The same, and every other word stays as it is. */
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

/** One as short as a word is no part of another word, unless the event itself has it behind these: `-p` of `mysql -px`. */
function maskSecret(text: string, secret: string, glues: readonly string[] = []): string {
  if (secret.length >= LONG_SECRET || !text.includes(secret)) return text.replaceAll(secret, REDACTED)
  const before = ['', ...glues].map(literal).join('|')
  return text.replace(new RegExp(`(?<![\\w-])(${before})${literal(secret)}(?![\\w-])`, 'g'), `$1${REDACTED}`)
}

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** What the secret follows without a blank, where it stands in the event. */
function gluesOf(secret: string, texts: readonly string[]): readonly string[] {
  if (secret.length >= LONG_SECRET) return []
  const pattern = new RegExp(`(?<![\\w-])([\\w-]+)${literal(secret)}(?![\\w-])`, 'g')
  return [...new Set(texts.flatMap(text => [...text.matchAll(pattern)].map(([, glue = '']) => glue)))]
}

/** The value with every text in it behind the veil. */
export const maskStrings = (value: unknown, hide: (text: string) => string): unknown =>
  JSON.parse(JSON.stringify(value), (_, one: unknown) => (typeof one === 'string' ? hide(one) : one))

/** Every text, and with its name, which tells of many what they are. */
function collectTexts(value: unknown, name?: string): readonly string[] {
  if (typeof value === 'string') return name === undefined ? [value] : [value, `${name}=${value}`]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(one => collectTexts(one))
  return Object.entries(value).flatMap(([key, one]) => collectTexts(one, key))
}

/** What `redact` leaves out, in the ways it is shown: as it is, in one line, within quotes, line by line. */
function findSecrets(text: string): readonly string[] {
  const kept = redact(text).split(REDACTED)
  if (kept.length < 2) return []
  const found: string[] = []
  let at = kept[0]?.length ?? 0
  for (const [nth, piece] of kept.slice(1).entries()) {
    const isLast = nth === kept.length - 2
    const end = isLast ? text.length - piece.length : text.indexOf(piece, at + 1)
    // a piece that is not found: the steps of hiding have met; the rest is one secret
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

/** A text that was cut: the beginning of a secret may stand before the mark. */
function maskTruncatedSecret(piece: string, secrets: readonly string[]): string {
  const text = piece.slice(0, -1)
  for (const secret of secrets)
    for (let length = Math.min(secret.length, text.length); length >= MIN_SECRET; length--)
      if (text.endsWith(secret.slice(0, length))) return `${text.slice(0, -length)}${REDACTED}…`
  return piece
}
