import { type ParsedRecord, parseRecord } from '../../../audit/index.ts'
import type { AuditLogReader, AuditRecord, RawRecord } from '../../../store/index.ts'
import type { CallResult, DecisionRow } from '../api.ts'

/** How many records behind a call its end is looked for in. */
const MAX_DISTANCE = 256

/** How the agent says that a call ended; undefined for what is no end, and for old records, which do not keep it. */
export function callResultOf({ event, ended, line }: AuditRecord): CallResult | undefined {
  if (event === 'tool.failed') return 'failed'
  if (event !== 'tool.after' || ended === undefined) return undefined
  if (ended !== 'succeeded') return ended
  return line !== undefined && hidesFailure(line) ? 'unknown' : 'ok'
}

const QUOTED = /'[^']*'|"(?:\\.|[^"\\])*"|\\./gs
const REDIRECTION = /[<>]+&\s*(?:\d+-?|-)|&>>?|>\|/g

/** The line ends as its last command does: a pipe, `;`, `||`, `&` or a line break hides how the others ended. `&&` does not. */
export const hidesFailure = (line: string): boolean =>
  /[|;&\n]/.test(line.trim().replace(QUOTED, '').replace(REDIRECTION, '').replaceAll('&&', ''))

/**
 * How calls ended, by the number of the record that let them through. Records are oldest first. They keep no id of the call: an end belongs to
 * the last call of the same session, subagent, tool and text that has none yet. A call that a person turned down never gets one.
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

/** The rows of these records, newest first or oldest first as they come, with how each call ended as far as the records behind it say. */
export function withCallResults(
  trail: AuditLogReader,
  found: readonly ParsedRecord[],
  rowOf: (found: ParsedRecord) => DecisionRow,
): DecisionRow[] {
  const calls = found.filter(({ record }) => record.event === 'tool.before' && record.decision !== 'deny')
  const ends = callResults(
    callRecordsAfter(
      trail,
      calls.map(({ seq }) => seq),
    ),
  )
  return found.map(one => {
    const ended = ends.get(one.seq)?.ended
    return { ...rowOf(one), ...(ended !== undefined && { ended }) }
  })
}

/** Every record of a call from these numbers on, and shortly behind each of them; oldest first, each once. */
function callRecordsAfter(trail: AuditLogReader, numbers: readonly number[]): readonly ParsedRecord[] {
  const found: ParsedRecord[] = []
  let last = 0
  for (const seq of [...numbers].sort((a, b) => a - b)) {
    const to = seq + MAX_DISTANCE
    const from = Math.max(last, seq - 1)
    if (to <= from) continue
    found.push(
      ...trail
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

/** Ends among the records after this one, of whatever calls: for pages that show the calls already. */
export function callResultsAfter(
  trail: AuditLogReader,
  after: number,
  upTo: number,
): readonly { readonly n: number; readonly ended: CallResult }[] {
  const fresh = trail.after(after, upTo - after).filter(raw => raw.seq <= upTo)
  if (!fresh.some(({ json }) => json.includes('"event":"tool.after"') || json.includes('"event":"tool.failed"')))
    return []
  const before = trail
    .after(Math.max(0, after - MAX_DISTANCE), Math.min(MAX_DISTANCE, after))
    .filter(raw => raw.seq <= after)
  const ends = callResults([...before, ...fresh].flatMap(parseCallRecord))
  return [...ends].filter(([, { at }]) => at > after).map(([n, { ended }]) => ({ n, ended }))
}
