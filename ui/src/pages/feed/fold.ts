import type { DecisionRow } from '../../../../src/app/dashboard/api.ts'
import { movesText } from '../../words/move.ts'

/** The same thing said again and again is one line. */
export interface FoldedRow {
  readonly row: DecisionRow
  readonly times: number
  /** the first of them: it stays while others come */
  readonly oldest: number
}

const SAME = ['what', 'word', 'gate', 'session', 'client', 'tool', 'caller', 'agent', 'ended'] as const

const isSame = (a: DecisionRow, b: DecisionRow): boolean =>
  SAME.every(key => a[key] === b[key]) && movesText(a) === movesText(b)

/** Newest first, as it comes; the one that is open stands alone, whatever is beside it. */
export function foldRows(rows: readonly DecisionRow[], open: number | undefined): readonly FoldedRow[] {
  const found: { row: DecisionRow; times: number; oldest: number }[] = []
  for (const row of rows) {
    const last = found.at(-1)
    if (last && row.n !== open && last.row.n !== open && isSame(last.row, row)) {
      last.times += 1
      last.oldest = row.n
    } else found.push({ row, times: 1, oldest: row.n })
  }
  return found
}
