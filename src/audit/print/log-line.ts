import { basename } from 'node:path'
import { escapeControlChars } from '../../lib/escape-control-chars.ts'
import { localClock } from '../../lib/local-time.ts'
import { cutEnd, cutMiddle, displayWidth, padTo } from '../../lib/text-width.ts'
import { describeRecord, gateOfRecord, type OutcomeLabel, outcomeLabelOf } from '../outcome-label.ts'
import type { ParsedRecord } from '../parsed-record.ts'

export interface LinePaint {
  readonly word: (word: OutcomeLabel, text: string) => string
  readonly faint: (text: string) => string
}

export const NO_PAINT: LinePaint = { word: (_, text) => text, faint: text => text }

export interface LineDisplay {
  /** terminal width; undefined: lines are not truncated */
  readonly width?: number | undefined
  readonly paint: LinePaint
  /** records of all projects are shown, so each line names its project */
  readonly everywhere?: boolean
}

/** Records with the same key look the same to a reader and are shown as repeats. */
export const repeatKeyOf = ({ record }: ParsedRecord): string =>
  [
    outcomeLabelOf(record),
    record.client,
    record.session,
    record.root ?? '',
    gateOfRecord(record) ?? '',
    recordTextOf(record),
  ].join('\n')

const COLUMN_NAMES = ['client', 'session', 'project', 'gate'] as const
/** Width of each column; 0 hides it. */
export type LineColumns = Readonly<Record<(typeof COLUMN_NAMES)[number], number>>

const RESULT_WIDTH = 6
const TIME_WIDTH = 8
/** A longer name does not widen the column for all lines. */
const MAX_COLUMN_WIDTH = 40

/** A narrow terminal hides the less important columns first. */
export function columnsFor({ width = 80, everywhere = false }: LineDisplay): LineColumns {
  const gate = width >= 110 ? 24 : width >= 60 ? 16 : width >= 48 ? 14 : 0
  if (!everywhere) return { client: width >= 60 ? 8 : 0, session: width >= 72 ? 4 : 0, project: 0, gate }
  if (width >= 110) return { client: 8, session: 4, project: 16, gate }
  if (width >= 72) return { client: 8, session: 0, project: 12, gate }
  return { client: 0, session: 0, project: width >= 48 ? 12 : 0, gate: width >= 60 ? gate : 0 }
}

/** Without truncation, columns grow to their longest name and never shrink. */
export function widenColumns(columns: LineColumns, found: readonly ParsedRecord[]): LineColumns {
  const wide = (name: (typeof COLUMN_NAMES)[number]) =>
    columns[name] === 0 ? 0 : widestName(found, name, columns[name])
  return { client: wide('client'), session: wide('session'), project: wide('project'), gate: wide('gate') }
}

const widestName = (found: readonly ParsedRecord[], name: (typeof COLUMN_NAMES)[number], least: number): number =>
  found.reduce(
    (most, record) => Math.max(most, Math.min(displayWidth(columnTextOf(record, name)), MAX_COLUMN_WIDTH)),
    least,
  )

function columnTextOf({ record }: ParsedRecord, name: (typeof COLUMN_NAMES)[number]): string {
  switch (name) {
    case 'client':
      return escapeControlChars(record.client.split('-', 1)[0] ?? '') || '-'
    case 'session':
      return escapeControlChars(record.session.slice(0, 4)) || '-'
    case 'project':
      return escapeControlChars(record.root === undefined ? '' : basename(record.root) || record.root) || '-'
    case 'gate':
      return escapeControlChars(gateNameOf(gateOfRecord(record) ?? '-')) || '-'
  }
}

/** The heading line. */
export function columnHeadings(columns: LineColumns, { width, paint }: LineDisplay): string {
  const names = { client: 'agent', session: 'sess', project: 'project', gate: 'gate' }
  const beside = COLUMN_NAMES.flatMap(name => (columns[name] === 0 ? [] : [padTo(names[name], columns[name])]))
  const begin = [padTo('time', TIME_WIDTH), padTo('result', RESULT_WIDTH), ...beside].join(' ')
  const room = width === undefined ? 0 : width - begin.length - NUMBER_HEADING.length - 3
  return paint.faint(room < 0 ? cutEnd(begin, width ?? 0) : `${begin} ${padTo('what', room)}  ${NUMBER_HEADING}`)
}

/** The record number, which `signalbox explain` accepts. */
const NUMBER_HEADING = 'record'

/** `14:06:40 DENY   claude   4c1f push-needs-tests git push … main x3  217` */
export function formatLogLine(
  found: ParsedRecord,
  times: number,
  columns: LineColumns,
  { width, paint }: LineDisplay,
): string {
  const { record, seq } = found
  const word = outcomeLabelOf(record)
  const beside = COLUMN_NAMES.flatMap(name => {
    const [size, text] = [columns[name], columnTextOf(found, name)]
    return size === 0 ? [] : [padTo(width === undefined ? text : cutEnd(text, size), size)]
  })
  const time = localClock(record.at)
  const often = times > 1 ? ` x${times}` : ''
  const id = String(seq)
  const what = escapeControlChars(recordTextOf(record))
  const begin = [time, padTo(word, RESULT_WIDTH), ...beside].join(' ')
  const room = width === undefined ? undefined : width - begin.length - often.length - id.length - 3
  const shown = room === undefined ? what : cutMiddle(what, Math.max(room, 0))
  const paddedText = padTo(`${shown}${often}`, (room ?? 0) + often.length)
  return `${[paint.faint(time), paint.word(word, padTo(word, RESULT_WIDTH)), ...beside].join(' ')} ${paddedText}  ${paint.faint(id)}`
}

/** The record and the gates it moved: `write PLAN.md (closes tested, opens planned)`. Omits a move that the label already shows. */
function recordTextOf(record: ParsedRecord['record']): string {
  const { moves } = record
  const word = outcomeLabelOf(record)
  const otherMoves = word === 'opens' || word === 'closes' ? moves.slice(1) : moves
  if (otherMoves.length === 0) return describeRecord(record)
  return `${describeRecord(record)} (${otherMoves.map(({ gate, to }) => `${to === 'open' ? 'opens' : 'closes'} ${gateNameOf(gate)}`).join(', ')})`
}

const gateNameOf = (id: string): string => id.slice(id.lastIndexOf('/') + 1)
