import { CANARY_SESSION } from '../engine/index.ts'
import type { AuditRecord } from '../store/index.ts'

/** What came of an event, in the word that a person reads. Loud where somebody was stopped. */
export const OUTCOME_LABELS = [
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
export type OutcomeLabel = (typeof OUTCOME_LABELS)[number]

/** A request for permission is the same call again, before the person answered: one that nobody decides is no news. */
export function outcomeLabelOf(record: AuditRecord): OutcomeLabel {
  const { decision, client, errors, event, moves } = record
  if (errors.length > 0 && !hasDecidingMatch(record)) return 'ERROR'
  if (isCanaryRecord(record)) return 'canary'
  if (decision === 'deny') return 'DENY'
  if (decision === 'ask') return 'ASK'
  if (client === 'signalbox') return 'note'
  if (hasBypass(record)) return 'bypass'
  if (hasWarning(record)) return 'warn'
  if (wouldHaveBlocked(record)) return 'would'
  if (decision === 'allow') return 'allow'
  if (event === 'tool.before') return 'pass'
  const [move] = moves
  return move ? (move.to === 'open' ? 'opens' : 'closes') : '-'
}

/** A gate or hook said what was decided: a failure beside it is not the news. */
const hasDecidingMatch = ({ decision, matches }: AuditRecord): boolean =>
  decision !== 'pass' && matches.some(one => one.effect === decision)

/** Sent to see whether a refusal comes back: nobody was stopped. */
export const isCanaryRecord = ({ session }: AuditRecord): boolean => session.startsWith(CANARY_SESSION)
/** A gate was lifted, or an approval or a variable kept it from refusing. */
export const hasBypass = ({ matches, approvedBy = [] }: AuditRecord): boolean =>
  approvedBy.length > 0 || matches.some(one => one.bypassed === true)
export const hasWarning = ({ matches }: AuditRecord): boolean => matches.some(one => one.effect === 'warn')
/** A gate that only observes would have stopped it. */
export const wouldHaveBlocked = ({ matches }: AuditRecord): boolean =>
  matches.some(one => one.effect === 'none' && one.bypassed !== true && (one.says === 'deny' || one.says === 'ask'))

/** The gate that the word is about, or that moved by the way. */
export function gateOfRecord(record: AuditRecord): string | undefined {
  const { gate, matches, moves } = record
  const word = outcomeLabelOf(record)
  if (gate !== undefined) return gate
  if (word === 'opens' || word === 'closes') return moves[0]?.gate
  const spoke = matches.find(one => one.effect !== 'none' || one.says === 'deny' || one.says === 'ask')
  // of a call that nobody minds, the gate that it moved
  return spoke?.gate ?? moves[0]?.gate
}

/** Is there something to see for who does not want to see all? Calls, and whatever had an effect. */
export const isNotable = (record: AuditRecord): boolean => outcomeLabelOf(record) !== '-'

/** Acts of which nothing is known but the tool. */
const UNNAMED_ACTIONS: ReadonlySet<string> = new Set(['mcp', 'other'])

/** What it was about, in one line: the line as it was typed, else what was done, else what is noted. */
export function describeRecord(record: AuditRecord): string {
  const { acts, tool, name, notes, errors, decision, line } = record
  const word = outcomeLabelOf(record)
  if (word === 'ERROR') return `${errors[0] ?? ''}${decision === 'deny' ? ', refused' : ''}`
  if (word === 'note') return `${name}: ${notes.join('; ') || '-'}`
  if (line !== undefined) return line.replace(/\s*\n\s*/g, ' ⏎ ')
  if (acts.length > 0) return acts.map(one => (UNNAMED_ACTIONS.has(one) && tool) || one.replace(/^run /, '')).join('; ')
  return tool ?? name
}
