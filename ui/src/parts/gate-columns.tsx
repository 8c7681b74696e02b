import type { GateStatistics } from '../../../src/app/dashboard/api.ts'
import { href } from '../route/route.ts'
import { COLUMN_TEXTS } from '../words/column.ts'
import { type ColumnWidth, Count } from './count.tsx'
import { Mode } from './mode.tsx'
import { Spark } from './spark.tsx'
import type { Tone } from './tone.ts'

interface Column {
  readonly name: string
  readonly of: (numbers: GateStatistics) => number
  readonly tone?: Tone
  /** shows the column only from this width on */
  readonly room?: ColumnWidth
}

const COLUMNS = {
  fired: { name: 'fired', of: one => one.fired },
  fixed: { name: 'fixed', of: one => one.fixed, room: 'some' },
  bypassed: { name: 'bypassed', of: one => one.bypassed, room: 'roomy' },
  stuck: { name: 'stuck', of: one => one.stuck, tone: 'ask' },
  left: { name: 'other', of: one => one.other, room: 'roomy' },
  asked: { name: 'asked', of: one => one.asked, tone: 'ask' },
  would: { name: 'would stop', of: one => one.wouldDeny + one.wouldAsk, room: 'wide' },
} as const satisfies Readonly<Record<string, Column>>

export type CountColumn = keyof typeof COLUMNS

/** Column heads; a tooltip explains each number. */
export function GateHeads({ columns }: { readonly columns: readonly CountColumn[] }) {
  return (
    <>
      {columns.map(key => {
        const { name, room }: Column = COLUMNS[key]
        return (
          <th
            key={key}
            scope="col"
            className={`c-number c-${key} number${room ? ` ${room}-only` : ''}`}
            title={COLUMN_TEXTS[key]}
          >
            {name}
          </th>
        )
      })}
      <th scope="col" className="c-spark roomy-only">
        7 days
      </th>
    </>
  )
}

interface CellsProps {
  readonly numbers: GateStatistics
  readonly columns: readonly CountColumn[]
}

/** The numbers of one gate. */
export function GateCells({ numbers, columns }: CellsProps) {
  return (
    <>
      {columns.map(key => {
        const { of, name: _, ...how }: Column = COLUMNS[key]
        return <Count key={key} n={of(numbers)} {...how} />
      })}
      <td className="c-spark roomy-only">
        <Spark values={numbers.week} what={`${numbers.name} fired`} />
      </td>
    </>
  )
}

interface NameProps {
  readonly id: string
  readonly name: string
  readonly mode: Parameters<typeof Mode>[0]['mode']
}

/** The gate's name and mode. A long name wraps if there is no room. */
export function GateName({ id, name, mode }: NameProps) {
  return (
    <>
      <td className="wraps" title={id}>
        <a data-row href={href(['gates', id])}>
          {name}
        </a>
      </td>
      <td>
        <Mode mode={mode} />
      </td>
    </>
  )
}
