import { escapeControlChars } from '../../../lib/escape-control-chars.ts'
import { cutMiddle, padTo, widestOf } from '../../../lib/text-width.ts'

export interface TableColumn {
  readonly head: string
  /** right by default, for numbers */
  readonly side?: 'left' | 'right'
  /** columns with the highest number are dropped first if space is short; without a number the column stays */
  readonly dropOrder?: number
}

const COLUMN_GAP = 2
const MIN_NAME_WIDTH = 8
/** Many names share their beginning or their end: a name that is cut keeps as much of both. */
export const NAME_END = 1 / 2

/** A table no wider than `width`: drops optional columns first, then truncates the first column. */
export function renderTable(
  columns: readonly TableColumn[],
  cells: readonly (readonly string[])[],
  width: number,
): readonly string[] {
  // Names come from agents and may contain control characters.
  const rows = cells.map(cells => cells.map(escapeControlChars))
  const shown = fittingColumns(columns, rows, width)
  const widths = shown.map(at => columnWidth(columns, rows, at))
  const rest = widths.slice(1).reduce((sum, n) => sum + n + COLUMN_GAP, 0)
  const first = Math.min(widths[0] ?? 0, Math.max(MIN_NAME_WIDTH, width - rest))
  return [columns.map(column => column.head), ...rows].map(cells =>
    shown
      .map((at, nth) => {
        const cell = nth === 0 ? cutMiddle(cells[at] ?? '', first, NAME_END) : (cells[at] ?? '')
        const wide = nth === 0 ? first : (widths[nth] ?? 0)
        return nth === 0 || columns[at]?.side === 'left' ? padTo(cell, wide) : cell.padStart(wide)
      })
      .join(' '.repeat(COLUMN_GAP))
      .trimEnd(),
  )
}

/** Indexes of the columns that fit. */
function fittingColumns(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  width: number,
): readonly number[] {
  const order = columns.map((_, at) => at).filter(at => columns[at]?.dropOrder !== undefined)
  order.sort((a, b) => (columns[b]?.dropOrder ?? 0) - (columns[a]?.dropOrder ?? 0))
  const fitting = new Set(columns.keys())
  const wide = () => [...fitting].reduce((sum, at) => sum + columnWidth(columns, rows, at) + COLUMN_GAP, -COLUMN_GAP)
  for (const at of order) if (wide() > width) fitting.delete(at)
  return [...fitting]
}

const columnWidth = (columns: readonly TableColumn[], rows: readonly (readonly string[])[], at: number): number =>
  widestOf([columns[at]?.head ?? '', ...rows.map(cells => cells[at] ?? '')])
