import { type AuditRecord, isOfAgent } from '../store/index.ts'

/** What was decided about the calls of a day. */
export interface Today {
  readonly calls: number
  readonly allow: number
  readonly deny: number
  readonly ask: number
  /** let pass, because the gate that would have refused only observes */
  readonly wouldDeny: number
  readonly wouldAsk: number
  readonly bypassed: number
  /** calls where something of ours failed */
  readonly errors: number
}

export function startOfDay(now: number): number {
  const date = new Date(now)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}

export function todayOf(records: readonly AuditRecord[], now: number): Today {
  const from = startOfDay(now)
  const calls = records.filter(one => one.at >= from && one.event === 'tool.before' && isOfAgent(one))
  const many = (is: (record: AuditRecord) => boolean): number => calls.filter(is).length
  return {
    calls: calls.length,
    allow: many(({ decision }) => decision === 'pass' || decision === 'allow'),
    deny: many(({ decision }) => decision === 'deny'),
    ask: many(({ decision }) => decision === 'ask'),
    wouldDeny: many(one => isWatched(one, 'deny')),
    wouldAsk: many(one => isWatched(one, 'ask') && !isWatched(one, 'deny')),
    bypassed: many(({ matches }) => matches.some(one => one.bypassed === true)),
    errors: many(({ errors }) => errors.length > 0),
  }
}

/** A gate that observes or warns spoke, and what it says is stricter than what was decided. */
const isWatched = ({ decision, matches }: AuditRecord, says: 'deny' | 'ask'): boolean =>
  decision !== 'deny' &&
  decision !== says &&
  matches.some(one => one.says === says && one.mode !== 'block' && one.bypassed !== true)

/** `412 calls: 396 allow 9 DENY 6 ASK`; what did not happen is not told. */
export function todayText({ calls, allow, deny, ask, wouldDeny, wouldAsk, bypassed, errors }: Today): string {
  if (calls === 0) return 'no calls'
  const parts = [
    [allow, 'allow'],
    [deny, 'DENY'],
    [ask, 'ASK'],
    [wouldDeny, 'would DENY'],
    [wouldAsk, 'would ASK'],
    [bypassed, 'bypass'],
    [errors, 'ERROR'],
  ].flatMap(([n, word]) => (n === 0 ? [] : [`${n} ${word}`]))
  return `${calls.toLocaleString('en')} ${calls === 1 ? 'call' : 'calls'}: ${parts.join(' ')}`
}
