import { formatCount } from '../words/number.ts'
import type { Tone } from './tone.ts'

/** Where a column shows: on pages of 520 pixels and more, of 760, or of 900. */
export type ColumnWidth = 'some' | 'wide' | 'roomy'

interface Props {
  readonly n: number
  readonly tone?: Tone
  /** only where there is room, or where there is much of it */
  readonly room?: ColumnWidth | undefined
}

/** A number in a table; none is said quietly. */
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
