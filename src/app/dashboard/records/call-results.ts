import { type ParsedRecord, parseRecord } from '../../../audit/index.ts'
import type { AuditLogReader, AuditRecord, RawRecord } from '../../../store/index.ts'
import type { CallResult, DecisionRow } from '../api.ts'

/** How many records after a call its end is searched in. */
const MAX_DISTANCE = 256

/** How the call ended, as the agent reports it; undefined for other events and for old records without `ended`. */
export function callResultOf({ event, ended, line }: AuditRecord): CallResult | undefined {
  if (event === 'tool.failed') return 'failed'
  if (event !== 'tool.after' || ended === undefined) return undefined
  if (ended !== 'succeeded') return ended
  return line !== undefined && hidesFailure(line) ? 'unknown' : 'ok'
}

const QUOTED = /'[^']*'|"(?:\\.|[^"\\])*"|\\./gs
const REDIRECTION = /[<>]+&\s*(?:\d+-?|-)|&>>?|>\|/g

/** A line has the exit status of its last command: a pipe, `;`, `||`, `&` or a line break hides the others. `&&` does not. */
export const hidesFailure = (line: string): boolean =>
  /[|;&\n]/.test(line.trim().replace(QUOTED, '').replace(REDIRECTION, '').replaceAll('&&', ''))

/**
 * How calls ended, by the number of the record that allowed them. Records are oldest first. They have no call id, so an end belongs to the
 * last open call of the same session, subagent, tool and text. A call that a person declined gets no end.
 */
export function callResults(
  records: readonly ParsedRecord[],
): ReadonlyMap<number, { readonly ended: CallResult; readonly at: number }> {
  const running = new Map<string, number[]>()
  const ends = new Map<number, { readonly ended: CallResult; readonly at: number }>()
  for (const { seq, record } of records) {
    const key = callKeyOf(record)
    if (record.event === 'tool.before' && record.decision !== 'deny') {
      if (!running.get(key)?.push(seq)) running.set(key, [seq])
      continue
    }
    const ended = callResultOf(record)
    const call = ended && running.get(key)?.pop()
    if (ended && call !== undefined) ends.set(call, { ended, at: seq })
  }
  return ends
}

const callKeyOf = ({ client, session, agent = '', tool = '', line = '', acts }: AuditRecord): string =>
  [client, session, agent, tool, line, ...acts].join('\n')

const isCallRecord = (json: string): boolean => json.includes('"event":"tool.')

/** The rows of these records in their order, each call with its end if one is found in later records. */
export function withCallResults(
  auditLog: AuditLogReader,
  found: readonly ParsedRecord[],
  rowOf: (found: ParsedRecord) => DecisionRow,
): DecisionRow[] {
  const calls = found.filter(({ record }) => record.event === 'tool.before' && record.decision !== 'deny')
  const ends = callResults(
    callRecordsAfter(
      auditLog,
      calls.map(({ seq }) => seq),
    ),
  )
  return found.map(record => {
    const ended = ends.get(record.seq)?.ended
    return { ...rowOf(record), ...(ended !== undefined && { ended }) }
  })
}

/** Records of calls from these numbers on, up to `MAX_DISTANCE` after each; oldest first, without duplicates. */
function callRecordsAfter(auditLog: AuditLogReader, numbers: readonly number[]): readonly ParsedRecord[] {
  const found: ParsedRecord[] = []
  let last = 0
  for (const seq of [...numbers].sort((a, b) => a - b)) {
    const to = seq + MAX_DISTANCE
    const from = Math.max(last, seq - 1)
    if (to <= from) continue
    found.push(
      ...auditLog
        .after(from, to - from)
        .filter(raw => raw.seq <= to)
        .flatMap(parseCallRecord),
    )
    last = to
  }
  return found
}

const parseCallRecord = (raw: RawRecord): readonly ParsedRecord[] => {
  const found = isCallRecord(raw.json) ? parseRecord(raw) : undefined
  return found ? [found] : []
}

/** Ends of any calls in the records after this one, for pages that already show the calls. */
export function callResultsAfter(
  auditLog: AuditLogReader,
  after: number,
  upTo: number,
): readonly { readonly n: number; readonly ended: CallResult }[] {
  const fresh = auditLog.after(after, upTo - after).filter(raw => raw.seq <= upTo)
  if (!fresh.some(({ json }) => json.includes('"event":"tool.after"') || json.includes('"event":"tool.failed"')))
    return []
  const before = auditLog
    .after(Math.max(0, after - MAX_DISTANCE), Math.min(MAX_DISTANCE, after))
    .filter(raw => raw.seq <= after)
  const ends = callResults([...before, ...fresh].flatMap(parseCallRecord))
  return [...ends].filter(([, { at }]) => at > after).map(([n, { ended }]) => ({ n, ended }))
}
