import type { DecisionRow } from '../../../../src/app/dashboard/api.ts'
import { movesText } from '../../words/move.ts'

/** Repeated equal rows shown as one. */
export interface FoldedRow {
  readonly row: DecisionRow
  readonly times: number
  /** the first of the rows: stays the same while new ones arrive */
  readonly oldest: number
}

const SAME = ['what', 'outcome', 'gate', 'session', 'client', 'tool', 'caller', 'agent', 'ended'] as const

const isSame = (a: DecisionRow, b: DecisionRow): boolean =>
  SAME.every(key => a[key] === b[key]) && movesText(a) === movesText(b)

/** Rows are newest first. The open row is never folded. */
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
