import type { AuditRecord } from './audit.ts'
import { sha256 } from './digest.ts'
import { redact } from './redact.ts'
import { hideCert, hideFed } from './secrets/fed.ts'
import { hidingIn } from './veil.ts'

const LONGEST = 200
/** a reason is the policy's own words, around some of the call's */
const LONGEST_REASON = 4000
/** of a line that does a great deal, the first acts are kept; beside the last of them may stand what its secret is fed to */
const MOST_ACTS = 20
const BESIDE = 4
/** shorter than any secret that could be told from a word */
const NOTHING_FITS = 12
/** Beyond this the rest is only counted: a hook has no time to read megabytes for secrets. */
const READ = 64_000

/** The record as it may be kept: nothing secret, nothing endless. Most are kept as they are. */
export function redactRecord(record: AuditRecord): AuditRecord {
  const session = sessionId(record.session)
  const name = again(record.name)
  const caller = again(record.caller)
  const agent = record.agent && sessionId(record.agent)
  const tool = record.tool && again(record.tool)
  const root = record.root && again(record.root)
  const hide = hidingAlike(record.acts)
  const reason = record.reason && again(hide(record.reason), LONGEST_REASON)
  const acts = shortActs(hideAll(record.acts, hide))
  const line = record.line === undefined ? undefined : shortLine(record.line, record.acts, acts, hide)
  const notes = shortAll(hideAll(record.notes, hide))
  const errors = shortAll(hideAll(record.errors, hide))
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

/** A longer one is told by its acts. */
const LONGEST_LINE = 2000
const HERE_DOCUMENT = /(<<-?[ \t]*(["']?)([\w.-]+)\2[^\n]*)\n(?:[\s\S]*?\n)?[ \t]*\3(?=\n|$)/g
/** One whose end was not found. */
const hasTextLeft = (line: string): boolean => /(?<!<)<<(?!<)[^\n]*(?<! …)\n/.test(line)

/** The line without secrets and without the texts that are given to its commands. Undefined: better not kept at all. */
function shortLine(
  line: string,
  acts: readonly string[],
  kept: readonly string[],
  hide: (text: string) => string,
): string | undefined {
  const bare = line.length > READ ? line : line.replace(HERE_DOCUMENT, '$1 …')
  if (acts.length > MOST_ACTS || bare.length > LONGEST_LINE || hasTextLeft(bare)) return undefined
  const hidden = redact(hide(bare))
  const lost = acts.flatMap((act, nth) => (kept[nth] === act ? [] : wordsLost(act, wholeOf(act, kept[nth] ?? ''))))
  if (lost.length > 0 && (hidden === bare || lost.some(word => hidden.includes(word)))) return undefined
  return hidden
}

/** What was hidden in an act must not stand in the line. */
const wordsLost = (act: string, kept: string): readonly string[] =>
  wordsOf(act).filter(word => word.length > 2 && !kept.includes(word))

/** What was cut off was not hidden. */
const wholeOf = (act: string, kept: string): string => (kept.includes(', sha256 ') ? redact(act.slice(0, READ)) : kept)

const wordsOf = (text: string): readonly string[] => text.split(/[\s'"\\]+/)

/** A project as records name it. */
export const rootOnRecord = (root: string): string => again(root)

/** Names of tools and the words of a policy come again and again, and every call twice: before and after. */
function again(text: string, longest = LONGEST): string {
  const known = seen.get(text)
  if (known !== undefined) return known
  const kept = short(text, longest)
  if (seen.size > MOST_SEEN) seen.clear()
  if (text.length < LONGEST_SEEN) seen.set(text, kept)
  return kept
}

const seen = new Map<string, string>()
const MOST_SEEN = 256
const LONGEST_SEEN = 4000

function shortActs(acts: readonly string[]): readonly string[] {
  if (acts.length <= MOST_ACTS) return shortAll(hideCert(hideFed(acts)))
  const first = hideCert(hideFed(acts.slice(0, MOST_ACTS + BESIDE))).slice(0, MOST_ACTS)
  const rest = acts.slice(MOST_ACTS).join('\n')
  return [
    ...shortAll(first),
    `… and ${acts.length - MOST_ACTS} more (sha256 ${hashOf(rest, redact(rest.slice(0, READ)))})`,
  ]
}

/** What is a secret in one act is one in the others: `wget --password x` may be read as a fetch of `x`. */
const hidingAlike = (acts: readonly string[]): ((text: string) => string) =>
  hidingIn(acts.slice(0, MOST_ACTS + BESIDE).filter(act => again(act) !== act))

function hideAll(texts: readonly string[], hide: (text: string) => string): readonly string[] {
  const bare = texts.map(hide)
  return bare.every((text, nth) => text === texts[nth]) ? texts : bare
}

/** The list itself where nothing in it changes. */
function shortAll(texts: readonly string[]): readonly string[] {
  const kept = texts.map(text => again(text))
  return kept.every((text, nth) => text === texts[nth]) ? texts : kept
}

/** Hidden first and cut then, so that no half of a secret is left; the hash tells later whether it was this text. */
export function short(text: string, longest = LONGEST): string {
  if (text.length <= NOTHING_FITS) return text
  const bare = redact(text.slice(0, READ))
  if (text.length <= longest) return bare
  const hash = hashOf(text, bare)
  const begins = text.length > READ && bare.length <= longest ? wholeWords(bare) : bare.slice(0, longest)
  return `${begins}… (${text.length} characters, sha256 ${hash})`
}

/** Of the text without its secrets: a password that is short could be found by trying. What was too long to read is too long to try. */
const hashOf = (text: string, bare: string): string => sha256(text.length > READ ? text : bare)

/** Without the last one: half of a secret, where reading ended, may not look like one. */
const wholeWords = (text: string): string => text.slice(0, Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n')) + 1)

/** What steers a terminal, or turns what stands around it. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** An id is the client's own text, and may hold anything. */
export const sessionId = (id: string): string => again(id.replace(UNSEEN, '\ufffd')).slice(0, LONGEST)
