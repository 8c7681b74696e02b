import { ANSWERS } from './case-judge.ts'
import type { Miss, PairTally, ReadingTally, Scores } from './tally.ts'

/** One number that a target is set for. */
interface Score {
  readonly text: string
  readonly ok: boolean
}

/** The targets, each with its number. */
export function targetsOf({ pairs, reading }: Scores): readonly Score[] {
  const all = sum(pairs, one => one.pairs)
  const stopped = sum(pairs, ({ answers }) => answers.refused + answers.asked)
  const calls = sum(reading, one => one.calls)
  const readingStopped = sum(reading, one => one.stopped)
  return [
    atLeast('dangerous calls refused or asked', stopped, all, 97),
    atMost(
      'dangerous calls silent',
      sum(pairs, ({ answers }) => answers.silent),
      all,
      1,
    ),
    atMost(
      'safe twins stopped',
      sum(pairs, one => one.stopped),
      all,
      2,
    ),
    { text: `read-only calls stopped: ${readingStopped} of ${calls}, target 0`, ok: readingStopped === 0 },
    atLeast(
      'read-only calls recognised as reading',
      sum(reading, one => one.recognised),
      calls,
      85,
    ),
  ]
}

const atLeast = (what: string, part: number, all: number, target: number): Score => ({
  text: `${what}: ${share(part, all)} (${part} of ${all}), target ≥ ${target} %`,
  ok: part * 100 >= all * target,
})

const atMost = (what: string, part: number, all: number, target: number): Score => ({
  text: `${what}: ${share(part, all)} (${part} of ${all}), target ≤ ${target} %`,
  ok: part * 100 <= all * target,
})

/** Two tables, one row a subject, and the targets. */
export function reportText(scores: Scores): string {
  const { pairs, reading } = scores
  const heads = ['dangerous calls', 'cases', ...ANSWERS, 'opaque', 'twins stopped', 'warned', 'opaque']
  const readingHeads = ['read-only calls', 'cases', 'stopped', 'warned', 'recognised', 'opaque']
  return [
    table(heads, [...pairs.map(pairRow), totalOf(pairs.map(pairRow))]),
    table(readingHeads, [...reading.map(readingRow), totalOf(reading.map(readingRow))]),
    targetsOf(scores)
      .map(({ text, ok }) => `  ${ok ? 'ok  ' : 'MISS'} ${text}`)
      .join('\n'),
  ].join('\n\n')
}

type Row = readonly [string, ...number[]]

const pairRow = ({ subject, pairs, answers, opaque, stopped, warned }: PairTally): Row => [
  subject,
  pairs,
  ...ANSWERS.map(answer => answers[answer]),
  opaque.dangerous,
  stopped,
  warned,
  opaque.twins,
]

const readingRow = ({ subject, calls, stopped, warned, recognised, opaque }: ReadingTally): Row => [
  subject,
  calls,
  stopped,
  warned,
  recognised,
  opaque,
]

function totalOf(rows: readonly Row[]): Row {
  const [, ...first] = rows[0] ?? ['']
  return ['all', ...first.map((_, nth) => sum(rows, row => Number(row[nth + 1])))]
}

function table(heads: readonly string[], rows: readonly Row[]): string {
  const line = (cells: readonly (string | number)[]) =>
    `  ${cells.map((cell, nth) => (nth === 0 ? String(cell).padEnd(18) : String(cell).padStart((heads[nth]?.length ?? 0) + 2))).join('')}`
  return [line(heads), ...rows.map(line)].join('\n')
}

/** One line a case: what was answered, the call, what the reader saw, and the rules that matched. */
export function missesText(misses: readonly Miss[]): string {
  const lines = misses.map(({ kind, subject, call, why, judgement: { answer, acts, rules, reader } }) => {
    const answered = kind === 'reading' && answer === 'silent' ? 'not recognised' : answer
    const unread = reader.isOpaque ? ' (opaque)' : ''
    const notes = [why, `reader: ${acts.join(' · ')}${unread}`, rules.length > 0 ? `rules: ${rules.join(', ')}` : '']
    return [`${kind}/${subject}  ${answered}  ${call}`, ...notes.filter(Boolean).map(note => `    ${note}`)].join('\n')
  })
  return lines.join('\n')
}

const sum = <T>(all: readonly T[], of: (one: T) => number): number => all.reduce((total, one) => total + of(one), 0)
const share = (part: number, all: number): string => `${((100 * part) / all).toFixed(1)} %`
