import { clockOf, visible } from '../pattern/index.ts'
import type { Found } from './found.ts'
import { cutEnd, cutMiddle, padTo } from './text.ts'
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
}

/** What a repeat is of: all that a person would read again. */
export const sameness = ({ record }: Found): string =>
  [wordOf(record), record.client, record.session, gateOf(record) ?? '', whatOf(record)].join('\n')

interface Columns {
  readonly client: number
  readonly session: number
  readonly gate: number
}

const WORD = 6
const WHOLE: Columns = { client: 8, session: 4, gate: 16 }

/** In a narrow window what is told elsewhere goes first. */
function columnsFor(width: number): Columns {
  if (width >= 110) return { ...WHOLE, gate: 24 }
  if (width >= 72) return WHOLE
  if (width >= 60) return { ...WHOLE, session: 0 }
  return { client: 0, session: 0, gate: width >= 48 ? 14 : 0 }
}

/** `14:06:40 DENY   claude   4c1f push-needs-tests git push … main x3  217` */
export function lineOf(found: Found, times: number, { width, paint }: Showing): string {
  const { record, seq } = found
  const word = wordOf(record)
  const { client, session, gate } = columnsFor(width ?? 80)
  const column = (text: string, size: number): readonly string[] => {
    const shown = visible(text) || '-'
    return size === 0 ? [] : [padTo(width === undefined ? shown : cutEnd(shown, size), size)]
  }
  const beside = [
    ...column(record.client.split('-', 1)[0] ?? '', client),
    ...column(record.session.slice(0, 4), session),
    ...column(shortId(gateOf(record) ?? '-'), gate),
  ]
  const time = clockOf(record.at)
  const often = times > 1 ? ` x${times}` : ''
  const id = String(seq)
  const what = visible(whatOf(record))
  const begin = [time, padTo(word, WORD), ...beside].join(' ')
  const room = width === undefined ? undefined : width - begin.length - often.length - id.length - 3
  const shown = room === undefined ? what : cutMiddle(what, Math.max(room, 0))
  const told = padTo(`${shown}${often}`, (room ?? 0) + often.length)
  return `${[paint.faint(time), paint.word(word, padTo(word, WORD)), ...beside].join(' ')} ${told}  ${paint.faint(id)}`
}

const shortId = (id: string): string => id.slice(id.lastIndexOf('/') + 1)
