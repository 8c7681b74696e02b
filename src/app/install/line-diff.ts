const CONTEXT_LINES = 2

type DiffRow = readonly [sign: ' ' | '-' | '+', line: string]

/** Line diff of two texts, with two lines of context. */
export function lineDiff(before: string, after: string): string {
  const rows = diffRows(splitLines(before), splitLines(after))
  const near = rows.map((_, at) =>
    rows.slice(Math.max(0, at - CONTEXT_LINES), at + CONTEXT_LINES + 1).some(([sign]) => sign !== ' '),
  )
  return rows.flatMap(([sign, line], at) => (near[at] ? [`${sign} ${line}\n`] : near[at - 1] ? ['  …\n'] : [])).join('')
}

const splitLines = (text: string): readonly string[] => {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** Skips equal lines at both ends; between them, finds the longest common subsequence. */
function diffRows(a: readonly string[], b: readonly string[]): readonly DiffRow[] {
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++
  return [
    ...a.slice(0, start).map(unchangedRow),
    ...diffMiddle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...a.slice(a.length - end).map(unchangedRow),
  ]
}

const unchangedRow = (line: string): DiffRow => [' ', line]
const MAX_CELLS = 4_000_000

function diffMiddle(a: readonly string[], b: readonly string[]): readonly DiffRow[] {
  const gone = a.map((line): DiffRow => ['-', line])
  const come = b.map((line): DiffRow => ['+', line])
  if (a.length === 0 || b.length === 0 || a.length * b.length > MAX_CELLS) return [...gone, ...come]
  const length = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1))
  const at = (i: number, j: number): number => length[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) {
      const row = length[i]
      if (row) row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  const rows: DiffRow[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      rows.push(unchangedRow(a[i] ?? ''))
      i++
      j++
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) rows.push(['-', a[i++] ?? ''])
    else rows.push(['+', b[j++] ?? ''])
  }
  return rows
}
