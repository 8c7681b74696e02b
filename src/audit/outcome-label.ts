import { CANARY_SESSION } from '../engine/index.ts'
import type { AuditRecord } from '../store/index.ts'

/** Labels for what came of an event. Upper case if an agent was stopped or something failed. */
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
  'test',
  '-',
] as const
export type OutcomeLabel = (typeof OUTCOME_LABELS)[number]

/** A `permission.request` repeats a call before the person answers, so without a decision it gets no label of its own (`-`). */
export function outcomeLabelOf(record: AuditRecord): OutcomeLabel {
  const { decision, client, errors, event, moves } = record
  if (errors.length > 0 && !hasDecidingMatch(record)) return 'ERROR'
  if (isCanaryRecord(record)) return 'test'
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

/** A gate or sub-hook made the decision: an error beside it matters less. */
const hasDecidingMatch = ({ decision, matches }: AuditRecord): boolean =>
  decision !== 'pass' && matches.some(match => match.effect === decision)

/** A test call that checks whether denials work: it stopped no agent. */
export const isCanaryRecord = ({ session }: AuditRecord): boolean => session.startsWith(CANARY_SESSION)
/** A gate was bypassed, or an approval or variable kept it from denying. */
export const hasBypass = ({ matches, approvedBy = [] }: AuditRecord): boolean =>
  approvedBy.length > 0 || matches.some(match => match.bypassed === true)
export const hasWarning = ({ matches }: AuditRecord): boolean => matches.some(match => match.effect === 'warn')
/** A gate in mode `observe` would have stopped it. */
export const wouldHaveBlocked = ({ matches }: AuditRecord): boolean =>
  matches.some(
    match =>
      match.effect === 'none' && match.bypassed !== true && (match.decision === 'deny' || match.decision === 'ask'),
  )

/** The gate that the label refers to, else the gate that moved. */
export function gateOfRecord(record: AuditRecord): string | undefined {
  const { gate, matches, moves } = record
  const word = outcomeLabelOf(record)
  if (gate !== undefined) return gate
  if (word === 'opens' || word === 'closes') return moves[0]?.gate
  const deciding = matches.find(
    match => match.effect !== 'none' || match.decision === 'deny' || match.decision === 'ask',
  )
  // If no rule decided about the call, the gate that it moved.
  return deciding?.gate ?? moves[0]?.gate
}

/** Shown without `--all`: calls, and events that had an effect. */
export const hasEffect = (record: AuditRecord): boolean => outcomeLabelOf(record) !== '-'

/** Actions of which only the tool is known. */
const UNNAMED_ACTIONS: ReadonlySet<string> = new Set(['mcp', 'other'])

/** The record on one line: the shell line as typed, else its actions, else its tool or event name. */
export function describeRecord(record: AuditRecord): string {
  const { acts, tool, name, notes, errors, decision, line } = record
  const word = outcomeLabelOf(record)
  if (word === 'ERROR') return `${errors[0] ?? ''}${decision === 'deny' ? ', denied' : ''}`
  if (word === 'note') return `${name}: ${notes.join('; ') || '-'}`
  if (line !== undefined) return line.replace(/\s*\n\s*/g, ' ⏎ ')
  if (acts.length > 0)
    return acts.map(text => (UNNAMED_ACTIONS.has(text) && tool) || text.replace(/^run /, '')).join('; ')
  return tool ?? name
}
