import { formatCount } from '../words/number.ts'
import type { Tone } from './tone.ts'

/** The minimum page width for a column: 520, 760 or 900 pixels. */
export type ColumnWidth = 'some' | 'wide' | 'roomy'

interface Props {
  readonly n: number
  readonly tone?: Tone
  /** shows the column only from this width on */
  readonly room?: ColumnWidth | undefined
}

/** A number in a table; zero is greyed out. */
export function Count({ n, tone = 'plain', room }: Props) {
  const kind = ['number', n === 0 && 'zero', room && `${room}-only`].filter(Boolean).join(' ')
  return (
    <td className={kind}>
      {n === 0 || tone === 'plain' ? (
        formatCount(n)
      ) : (
        <span className="word" data-tone={tone}>
          {formatCount(n)}
        </span>
      )}
    </td>
  )
}
