import { CANARY_SESSION } from '../pattern/index.ts'
import type { AuditRecord } from '../store/index.ts'

/** What came of an event, in the word that a person reads. Loud where somebody was stopped. */
export const WORDS = [
  'DENY',
  'ASK',
  'ERROR',
  'warn',
  'would',
  'bypass',
  'allow',
  'pass',
  'opens',
  'closes',
  'note',
  'canary',
  '-',
] as const
export type Word = (typeof WORDS)[number]

/** A request for permission is the same call again, before the person answered: one that nobody decides is no news. */
export function wordOf(record: AuditRecord): Word {
  const { decision, client, errors, event, moves } = record
  if (errors.length > 0 && !isSaid(record)) return 'ERROR'
  if (isCanary(record)) return 'canary'
  if (decision === 'deny') return 'DENY'
  if (decision === 'ask') return 'ASK'
  if (client === 'signalbox') return 'note'
  if (isBypassed(record)) return 'bypass'
  if (isWarned(record)) return 'warn'
  if (isWatched(record)) return 'would'
  if (decision === 'allow') return 'allow'
  if (event === 'tool.before') return 'pass'
  const [move] = moves
  return move ? (move.to === 'open' ? 'opens' : 'closes') : '-'
}

/** A gate or hook said what was decided: a failure beside it is not the news. */
const isSaid = ({ decision, matches }: AuditRecord): boolean =>
  decision !== 'pass' && matches.some(one => one.effect === decision)

/** Sent to see whether a refusal comes back: nobody was stopped. */
export const isCanary = ({ session }: AuditRecord): boolean => session.startsWith(CANARY_SESSION)
/** A gate was lifted, or an approval or a variable kept it from refusing. */
export const isBypassed = ({ matches, approvedBy = [] }: AuditRecord): boolean =>
  approvedBy.length > 0 || matches.some(one => one.bypassed === true)
export const isWarned = ({ matches }: AuditRecord): boolean => matches.some(one => one.effect === 'warn')
/** A gate that only observes would have stopped it. */
export const isWatched = ({ matches }: AuditRecord): boolean =>
  matches.some(one => one.effect === 'none' && one.bypassed !== true && (one.says === 'deny' || one.says === 'ask'))

/** The gate that the word is about, or that moved by the way. */
export function gateOf(record: AuditRecord): string | undefined {
  const { gate, matches, moves } = record
  const word = wordOf(record)
  if (gate !== undefined) return gate
  if (word === 'opens' || word === 'closes') return moves[0]?.gate
  const spoke = matches.find(one => one.effect !== 'none' || one.says === 'deny' || one.says === 'ask')
  // of a call that nobody minds, the gate that it moved
  return spoke?.gate ?? moves[0]?.gate
}

/** Is there something to see for who does not want to see all? Calls, and whatever had an effect. */
export const isOfInterest = (record: AuditRecord): boolean => wordOf(record) !== '-'

/** Acts of which nothing is known but the tool. */
const NAMELESS: ReadonlySet<string> = new Set(['mcp', 'other'])

/** What it was about, in one line: the line as it was typed, else what was done, else what is noted. */
export function whatOf(record: AuditRecord): string {
  const { acts, tool, name, notes, errors, decision, line } = record
  const word = wordOf(record)
  if (word === 'ERROR') return `${errors[0] ?? ''}${decision === 'deny' ? ', refused' : ''}`
  if (word === 'note') return `${name}: ${notes.join('; ') || '-'}`
  if (line !== undefined) return line.replace(/\s*\n\s*/g, ' ⏎ ')
  if (acts.length > 0) return acts.map(one => (NAMELESS.has(one) && tool) || one.replace(/^run /, '')).join('; ')
  return tool ?? name
}
