import { hasBypass } from '../../../../audit/index.ts'
import { type AuditRecord, isAgentRecord } from '../../../../store/index.ts'

/** Counts of the decisions about the calls of one day. */
export interface DailySummary {
  readonly calls: number
  /** no rule objected */
  readonly pass: number
  /** a rule said `allow` */
  readonly allow: number
  readonly deny: number
  readonly ask: number
  /** passed only because the gate that would deny is not in mode `block` */
  readonly wouldDeny: number
  readonly wouldAsk: number
  readonly bypassed: number
  /** calls with an internal error */
  readonly errors: number
  /** internal errors on events that are not tool calls or have no session */
  readonly otherErrors: number
}

export function startOfDay(now: number): number {
  const date = new Date(now)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
}

export function summarizeToday(records: readonly AuditRecord[], now: number): DailySummary {
  const from = startOfDay(now)
  const today = records.filter(record => record.at >= from)
  const calls = today.filter(isToolCall)
  const many = (is: (record: AuditRecord) => boolean): number => calls.filter(is).length
  return {
    calls: calls.length,
    pass: many(({ decision }) => decision === 'pass'),
    allow: many(({ decision }) => decision === 'allow'),
    deny: many(({ decision }) => decision === 'deny'),
    ask: many(({ decision }) => decision === 'ask'),
    wouldDeny: many(record => wouldHaveDecided(record, 'deny')),
    wouldAsk: many(record => wouldHaveDecided(record, 'ask') && !wouldHaveDecided(record, 'deny')),
    bypassed: many(hasBypass),
    errors: many(({ errors }) => errors.length > 0),
    otherErrors: today.filter(record => record.errors.length > 0 && !isToolCall(record)).length,
  }
}

const isToolCall = (record: AuditRecord): boolean => record.event === 'tool.before' && isAgentRecord(record)

/** A gate that observes or warns gave a stricter decision than the final one. */
const wouldHaveDecided = ({ decision, matches }: AuditRecord, wanted: 'deny' | 'ask'): boolean =>
  decision !== 'deny' &&
  decision !== wanted &&
  matches.some(match => match.decision === wanted && match.mode !== 'block' && match.bypassed !== true)

/** `412 calls in all projects: 396 pass 9 DENY 7 ASK; of these 2 would DENY; 1 ERROR in other events`: the first counts add up, and zeros are left out. */
export function dailySummaryText({ calls, pass, allow, deny, ask, otherErrors, ...aside }: DailySummary): string {
  const other = otherErrors === 0 ? '' : `; ${otherErrors} ERROR${otherErrors === 1 ? '' : 's'} in other events`
  if (calls === 0) return `no calls${other}`
  const answers = nonZeroCounts([pass, 'pass'], [allow, 'allow'], [deny, 'DENY'], [ask, 'ASK'])
  const { wouldDeny, wouldAsk, bypassed, errors } = aside
  const more = nonZeroCounts(
    [wouldDeny, 'would DENY'],
    [wouldAsk, 'would ASK'],
    [bypassed, 'bypass'],
    [errors, 'ERROR'],
  )
  const whole = `${calls.toLocaleString('en')} ${calls === 1 ? 'call' : 'calls'} in all projects: ${answers.join(' ')}`
  return `${whole}${more.length > 0 ? `; of these ${more.join(', ')}` : ''}${other}`
}

const nonZeroCounts = (...counts: readonly (readonly [number, string])[]): readonly string[] =>
  counts.flatMap(([n, word]) => (n === 0 ? [] : [`${n} ${word}`]))
