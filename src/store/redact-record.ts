import type { AuditRecord } from './audit.ts'
import { sha256 } from './digest.ts'
import { redact } from './redact.ts'

const LONGEST = 200
/** shorter than any secret that could be told from a word */
const NOTHING_FITS = 12
/** Beyond this the rest is only counted: a hook has no time to read megabytes for secrets. */
const READ = 64_000

/** The record as it may be kept: nothing secret, nothing endless. */
export function redactRecord(record: AuditRecord): AuditRecord {
  const { session, name, caller, tool, acts, notes, errors, reason } = record
  return {
    ...record,
    session: session.slice(0, LONGEST),
    name: short(name),
    caller: short(caller),
    ...(tool !== undefined && { tool: short(tool) }),
    acts: acts.map(short),
    notes: notes.map(short),
    errors: errors.map(short),
    ...(reason !== undefined && { reason: redact(reason.slice(0, READ)) }),
  }
}

/** Hidden first and cut then, so that no half of a secret is left; the hash tells later whether it was this text. */
export function short(text: string): string {
  if (text.length <= NOTHING_FITS) return text
  const bare = redact(text.slice(0, READ))
  if (text.length <= LONGEST) return bare
  const hash = sha256(text.length > READ ? text : bare)
  return `${bare.slice(0, LONGEST)}… (${text.length} characters, sha256 ${hash})`
}
