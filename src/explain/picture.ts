import type { Gate } from '../core/index.ts'
import { sayingOf } from './diagram.ts'
import { inWords } from './words.ts'

const WIDTH = 640
const LINE = 18
const PAD = 14
/** Letters of 13 pixels that fit beside and into boxes. */
const COLUMNS = 84

interface Row {
  readonly text: string
  readonly kind: 'title' | 'state' | 'rule' | 'move'
}

/** The gates as one SVG, from top to bottom: each with its states, what its rules say in them, and what moves it. Needs no browser. */
export function pictureOf(gates: readonly Gate[], root: string): string {
  const blocks = gates.map(gate => rowsOf(gate, root))
  const heights = blocks.map(rows => rows.length * LINE + 2 * PAD)
  const tops = heights.map((_, nth) => heights.slice(0, nth).reduce((sum, one) => sum + one + PAD, PAD))
  const height = heights.reduce((sum, one) => sum + one + PAD, PAD)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="100%" viewBox="0 0 ${WIDTH} ${height}" role="img" font-family="system-ui, sans-serif" font-size="13">`,
    `<style>${STYLE}</style>`,
    ...blocks.map((rows, nth) => blockOf(rows, tops[nth] ?? 0, heights[nth] ?? 0)),
    '</svg>',
  ].join('\n')
}

const STYLE =
  'text{fill:#1a1a1a}.box{fill:#fff;stroke:#bbb}.title{font-weight:600}.state{font-weight:600;fill:#1f4e8c}.rule{fill:#8a1c1c}.move{fill:#444}@media(prefers-color-scheme:dark){text{fill:#eee}.box{fill:#1b1b1b;stroke:#555}.state{fill:#8ab8f0}.rule{fill:#f0a0a0}.move{fill:#bbb}}'

function rowsOf(gate: Gate, root: string): readonly Row[] {
  const rules = [...gate.rules, ...(gate.routes?.list ?? [])]
  const said = (state: string | undefined): readonly Row[] =>
    rules.filter(rule => rule.while === state).flatMap(rule => broken(`• ${sayingOf(rule)}`, 'rule', 1))
  const title = broken(gate.initial === undefined ? `${gate.name}, always` : gate.name, 'title', 0)
  if (gate.initial === undefined) return [...title, ...said(undefined)]
  const states = (['closed', 'open'] as const).flatMap((state): readonly Row[] => {
    const moves = gate.transitions.filter(({ from }) => from.includes(state))
    return [
      ...broken(`${state}${state === gate.initial ? ', at the beginning' : ''}`, 'state', 0),
      ...said(state),
      ...moves.flatMap(({ to, id, when, clock }) =>
        broken(`→ ${to}: ${id}, ${clock ? 'by the clock, ' : ''}${inWords(when, root)}`, 'move', 1),
      ),
    ]
  })
  return [...title, ...said(undefined), ...states]
}

/** Between words where it can, so that nothing leaves the picture. */
function broken(text: string, kind: Row['kind'], indent: number): readonly Row[] {
  const room = COLUMNS - indent * 4
  const lines: string[] = []
  for (let rest = text; rest !== ''; ) {
    const space = rest.length <= room ? rest.length : rest.lastIndexOf(' ', room)
    const end = space > 0 ? space : room
    lines.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  return lines.map((line, nth) => ({ kind, text: `${'\u00a0'.repeat(4 * indent + (nth > 0 ? 4 : 0))}${line}` }))
}

const blockOf = (rows: readonly Row[], top: number, height: number): string =>
  [
    `<rect class="box" x="${PAD}" y="${top}" width="${WIDTH - 2 * PAD}" height="${height}" rx="6"/>`,
    ...rows.map(
      ({ text, kind }, nth) =>
        `<text class="${kind}" x="${2 * PAD}" y="${top + PAD + (nth + 1) * LINE - 5}">${escaped(text)}</text>`,
    ),
  ].join('\n')

const escaped = (text: string): string => text.replace(/[&<>"]/g, sign => `&#${sign.charCodeAt(0)};`)
