import { basename } from 'node:path'
import { clockOf, visible } from '../pattern/index.ts'
import type { Found } from './found.ts'
import { cutEnd, cutMiddle, padTo, widthOf } from './text.ts'
import { gateOf, type Word, whatOf, wordOf } from './word.ts'

export interface Paint {
  readonly word: (word: Word, text: string) => string
  readonly faint: (text: string) => string
}

export const PLAIN: Paint = { word: (_, text) => text, faint: text => text }

export interface Showing {
  /** of the window; without one every line is whole */
  readonly width?: number | undefined
  readonly paint: Paint
  /** of every project: each line names its own */
  readonly everywhere?: boolean
}

/** What a repeat is of: all that a person would read again. */
export const sameness = ({ record }: Found): string =>
  [wordOf(record), record.client, record.session, record.root ?? '', gateOf(record) ?? '', toldOf(record)].join('\n')

const NAMES = ['client', 'session', 'project', 'gate'] as const
/** How wide each is; 0: it is left out. */
export type Columns = Readonly<Record<(typeof NAMES)[number], number>>

const WORD = 6
const TIME = 8
/** A longer name is not waited for by all other lines. */
const LONGEST = 40

/** In a narrow window what is told elsewhere goes first. */
export function columnsFor({ width = 80, everywhere = false }: Showing): Columns {
  const gate = width >= 110 ? 24 : width >= 60 ? 16 : width >= 48 ? 14 : 0
  if (!everywhere) return { client: width >= 60 ? 8 : 0, session: width >= 72 ? 4 : 0, project: 0, gate }
  if (width >= 110) return { client: 8, session: 4, project: 16, gate }
  if (width >= 72) return { client: 8, session: 0, project: 12, gate }
  return { client: 0, session: 0, project: width >= 48 ? 12 : 0, gate: width >= 60 ? gate : 0 }
}

/** Where lines are whole, columns are as wide as the names in them, and never less than before. */
export function widened(columns: Columns, found: readonly Found[]): Columns {
  const wide = (name: (typeof NAMES)[number]) => (columns[name] === 0 ? 0 : widest(found, name, columns[name]))
  return { client: wide('client'), session: wide('session'), project: wide('project'), gate: wide('gate') }
}

const widest = (found: readonly Found[], name: (typeof NAMES)[number], least: number): number =>
  found.reduce((most, one) => Math.max(most, Math.min(widthOf(nameIn(one, name)), LONGEST)), least)

function nameIn({ record }: Found, name: (typeof NAMES)[number]): string {
  switch (name) {
    case 'client':
      return visible(record.client.split('-', 1)[0] ?? '') || '-'
    case 'session':
      return visible(record.session.slice(0, 4)) || '-'
    case 'project':
      return visible(record.root === undefined ? '' : basename(record.root) || record.root) || '-'
    case 'gate':
      return visible(shortId(gateOf(record) ?? '-')) || '-'
  }
}

/** What the columns are, for who sees them for the first time. */
export function headOf(columns: Columns, { width, paint }: Showing): string {
  const names = { client: 'agent', session: 'sess', project: 'project', gate: 'gate' }
  const beside = NAMES.flatMap(name => (columns[name] === 0 ? [] : [padTo(names[name], columns[name])]))
  const begin = [padTo('time', TIME), padTo('word', WORD), ...beside].join(' ')
  const room = width === undefined ? 0 : width - begin.length - NUMBER.length - 3
  return paint.faint(room < 0 ? cutEnd(begin, width ?? 0) : `${begin} ${padTo('what', room)}  ${NUMBER}`)
}

/** What `explain` takes. */
const NUMBER = 'record'

/** `14:06:40 DENY   claude   4c1f push-needs-tests git push … main x3  217` */
export function lineOf(found: Found, times: number, columns: Columns, { width, paint }: Showing): string {
  const { record, seq } = found
  const word = wordOf(record)
  const beside = NAMES.flatMap(name => {
    const [size, text] = [columns[name], nameIn(found, name)]
    return size === 0 ? [] : [padTo(width === undefined ? text : cutEnd(text, size), size)]
  })
  const time = clockOf(record.at)
  const often = times > 1 ? ` x${times}` : ''
  const id = String(seq)
  const what = visible(toldOf(record))
  const begin = [time, padTo(word, WORD), ...beside].join(' ')
  const room = width === undefined ? undefined : width - begin.length - often.length - id.length - 3
  const shown = room === undefined ? what : cutMiddle(what, Math.max(room, 0))
  const told = padTo(`${shown}${often}`, (room ?? 0) + often.length)
  return `${[paint.faint(time), paint.word(word, padTo(word, WORD)), ...beside].join(' ')} ${told}  ${paint.faint(id)}`
}

/** What it was about, and what it moved by the way: `write PLAN.md (closes tested, opens planned)`. The word of a line may say the first. */
function toldOf(record: Found['record']): string {
  const { moves } = record
  const word = wordOf(record)
  const told = word === 'opens' || word === 'closes' ? moves.slice(1) : moves
  if (told.length === 0) return whatOf(record)
  return `${whatOf(record)} (${told.map(({ gate, to }) => `${to === 'open' ? 'opens' : 'closes'} ${shortId(gate)}`).join(', ')})`
}

const shortId = (id: string): string => id.slice(id.lastIndexOf('/') + 1)
