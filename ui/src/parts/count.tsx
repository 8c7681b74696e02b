import { countOf } from '../words/number.ts'
import type { Tone } from './tone.ts'

interface Props {
  readonly n: number
  readonly tone?: Tone
  /** only where there is room */
  readonly wide?: boolean
}

/** A number in a table; none is said quietly. */
export function Count({ n, tone = 'plain', wide = false }: Props) {
  const kind = ['number', n === 0 && 'zero', wide && 'wide-only'].filter(Boolean).join(' ')
  return (
    <td className={kind}>
      {n === 0 || tone === 'plain' ? (
        countOf(n)
      ) : (
        <span className="word" data-tone={tone}>
          {countOf(n)}
        </span>
      )}
    </td>
  )
}
