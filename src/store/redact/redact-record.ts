import type { AuditRecord } from '../audit-log/audit-log.ts'
import { sha256 } from '../digest.ts'
import { redactCertificatePasswords, redactPipedActions } from './commands/piped-secrets.ts'
import { createSecretMask } from './mask.ts'
import { redact } from './redact.ts'

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
  const acts = redactActions(maskAll(record.acts, hide))
  const line = record.line === undefined ? undefined : redactLine(record.line, record.acts, acts, hide)
  const notes = redactAll(maskAll(record.notes, hide))
  const errors = redactAll(maskAll(record.errors, hide))
  const isSame =
    session === record.session &&
    name === record.name &&
    caller === record.caller &&
    agent === record.agent &&
    tool === record.tool &&
    root === record.root &&
    reason === record.reason &&
    acts === record.acts &&
    line === record.line &&
    notes === record.notes &&
    errors === record.errors
  if (isSame) return record
  const own = { ...(agent && { agent }), ...(tool && { tool }), ...(root && { root }), ...(reason && { reason }) }
  const { line: _, ...rest } = record
  return { ...rest, session, name, caller, acts, notes, errors, ...own, ...(line !== undefined && { line }) }
}

/** A longer line is not stored: its actions describe it. */
const MAX_LINE = 2000
const HERE_DOCUMENT = /(<<-?[ \t]*(["']?)([\w.-]+)\2[^\n]*)\n(?:[\s\S]*?\n)?[ \t]*\3(?=\n|$)/g
/** Whether the line has a here-document without an end. */
const hasOpenHereDocument = (line: string): boolean => /(?<!<)<<(?!<)[^\n]*(?<! …)\n/.test(line)

/** The line without secrets and without here-documents. Undefined if it is safer not to store the line. */
function redactLine(
  line: string,
  acts: readonly string[],
  kept: readonly string[],
  hide: (text: string) => string,
): string | undefined {
  const bare = line.length > MAX_READ ? line : line.replace(HERE_DOCUMENT, '$1 …')
  if (acts.length > MAX_ACTIONS || bare.length > MAX_LINE || hasOpenHereDocument(bare)) return undefined
  const hidden = redact(hide(bare))
  const lost = acts.flatMap((act, nth) =>
    kept[nth] === act ? [] : redactedWordsOf(act, redactWhole(act, kept[nth] ?? '')),
  )
  if (lost.length > 0 && (hidden === bare || lost.some(word => hidden.includes(word)))) return undefined
  return hidden
}

/** The words that were redacted in an action: they must not appear in the line. */
const redactedWordsOf = (act: string, kept: string): readonly string[] =>
  wordsOf(act).filter(word => word.length > 2 && !kept.includes(word))

/** Words that were only cut off were not redacted, so the whole action is redacted again. */
const redactWhole = (act: string, kept: string): string =>
  kept.includes(', sha256 ') ? redact(act.slice(0, MAX_READ)) : kept

const wordsOf = (text: string): readonly string[] => text.split(/[\s'"\\]+/)

/** The project root as records contain it. */
export const redactRoot = (root: string): string => redactCached(root)

/** Tool names and policy texts repeat, and every call comes twice: before and after. So results are cached. */
function redactCached(text: string, longest = MAX_TEXT): string {
  const known = redactCache.get(text)
  if (known !== undefined) return known
  const kept = redactAndTruncate(text, longest)
  if (redactCache.size > MAX_CACHED) redactCache.clear()
  if (text.length < MAX_CACHED_LENGTH) redactCache.set(text, kept)
  return kept
}

const redactCache = new Map<string, string>()
const MAX_CACHED = 256
const MAX_CACHED_LENGTH = 4000

function redactActions(acts: readonly string[]): readonly string[] {
  if (acts.length <= MAX_ACTIONS) return redactAll(redactCertificatePasswords(redactPipedActions(acts)))
  const first = redactCertificatePasswords(redactPipedActions(acts.slice(0, MAX_ACTIONS + EXTRA_ACTIONS))).slice(
    0,
    MAX_ACTIONS,
  )
  const rest = acts.slice(MAX_ACTIONS).join('\n')
  return [
    ...redactAll(first),
    `… and ${acts.length - MAX_ACTIONS} more (sha256 ${hashRedacted(rest, redact(rest.slice(0, MAX_READ)))})`,
  ]
}

/** A secret in one action is redacted in all of them: `wget --password x` may also be parsed as a fetch of `x`. */
const createActionMask = (acts: readonly string[]): ((text: string) => string) =>
  createSecretMask(acts.slice(0, MAX_ACTIONS + EXTRA_ACTIONS).filter(act => redactCached(act) !== act))

function maskAll(texts: readonly string[], hide: (text: string) => string): readonly string[] {
  const bare = texts.map(hide)
  return bare.every((text, nth) => text === texts[nth]) ? texts : bare
}

/** Returns the same list if nothing changes. */
function redactAll(texts: readonly string[]): readonly string[] {
  const kept = texts.map(text => redactCached(text))
  return kept.every((text, nth) => text === texts[nth]) ? texts : kept
}

/** Redacts before truncating, so that no half of a secret is left. The hash allows to check later whether it was this text. */
export function redactAndTruncate(text: string, longest = MAX_TEXT): string {
  if (text.length <= SHORTEST_SECRET) return text
  const bare = redact(text.slice(0, MAX_READ))
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
