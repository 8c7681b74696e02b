import type { AuditRecord, RawRecord, TrailReader } from '../store/index.ts'
import { type Found, foundIn } from '../trail/index.ts'
import type { CallEnd, DecisionRow } from './api.ts'

/** How many records behind a call its end is looked for in. */
const NEAR = 256

/** How the agent says that a call ended; undefined for what is no end, and for old records, which do not keep it. */
export function endOf({ event, ended, line }: AuditRecord): CallEnd | undefined {
  if (event === 'tool.failed') return 'failed'
  if (event !== 'tool.after' || ended === undefined) return undefined
  if (ended !== 'succeeded') return ended
  return line !== undefined && hidesFailure(line) ? 'unknown' : 'ok'
}

const QUOTED = /'[^']*'|"(?:\\.|[^"\\])*"|\\./gs
const REDIRECTED = /[<>]+&\s*(?:\d+-?|-)|&>>?|>\|/g

/** The line ends as its last command does: a pipe, `;`, `||`, `&` or a line break hides how the others ended. `&&` does not. */
export const hidesFailure = (line: string): boolean =>
  /[|;&\n]/.test(line.trim().replace(QUOTED, '').replace(REDIRECTED, '').replaceAll('&&', ''))

/**
 * How calls ended, by the number of the record that let them through. Records are oldest first. They keep no id of the call: an end belongs to
 * the last call of the same session, subagent, tool and text that has none yet. A call that a person turned down never gets one.
 */
export function callEnds(
  records: readonly Found[],
): ReadonlyMap<number, { readonly ended: CallEnd; readonly at: number }> {
  const running = new Map<string, number[]>()
  const ends = new Map<number, { readonly ended: CallEnd; readonly at: number }>()
  for (const { seq, record } of records) {
    const key = keyOf(record)
    if (record.event === 'tool.before' && record.decision !== 'deny') {
      if (!running.get(key)?.push(seq)) running.set(key, [seq])
      continue
    }
    const ended = endOf(record)
    const call = ended && running.get(key)?.pop()
    if (ended && call !== undefined) ends.set(call, { ended, at: seq })
  }
  return ends
}

const keyOf = ({ client, session, agent = '', tool = '', line = '', acts }: AuditRecord): string =>
  [client, session, agent, tool, line, ...acts].join('\n')

const isCall = (json: string): boolean => json.includes('"event":"tool.')

/** The rows of these records, newest first or oldest first as they come, with how each call ended as far as the records behind it say. */
export function withEnds(
  trail: TrailReader,
  found: readonly Found[],
  rowOf: (found: Found) => DecisionRow,
): DecisionRow[] {
  const calls = found.filter(({ record }) => record.event === 'tool.before' && record.decision !== 'deny')
  const ends = callEnds(
    recordsBehind(
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
function recordsBehind(trail: TrailReader, numbers: readonly number[]): readonly Found[] {
  const found: Found[] = []
  let last = 0
  for (const seq of [...numbers].sort((a, b) => a - b)) {
    const to = seq + NEAR
    const from = Math.max(last, seq - 1)
    if (to <= from) continue
    found.push(
      ...trail
        .after(from, to - from)
        .filter(raw => raw.seq <= to)
        .flatMap(readCall),
    )
    last = to
  }
  return found
}

const readCall = (raw: RawRecord): readonly Found[] => {
  const found = isCall(raw.json) ? foundIn(raw) : undefined
  return found ? [found] : []
}

/** Ends among the records after this one, of whatever calls: for pages that show the calls already. */
export function endsAfter(
  trail: TrailReader,
  after: number,
  upTo: number,
): readonly { readonly n: number; readonly ended: CallEnd }[] {
  const fresh = trail.after(after, upTo - after).filter(raw => raw.seq <= upTo)
  if (!fresh.some(({ json }) => json.includes('"event":"tool.after"') || json.includes('"event":"tool.failed"')))
    return []
  const before = trail.after(Math.max(0, after - NEAR), Math.min(NEAR, after)).filter(raw => raw.seq <= after)
  const ends = callEnds([...before, ...fresh].flatMap(readCall))
  return [...ends].filter(([, { at }]) => at > after).map(([n, { ended }]) => ({ n, ended }))
}
