import { agoOf, clockIn, isoOf, whenOf } from '../words/time.ts'
import { useNow } from './use-now.ts'

interface Props {
  readonly at: number
  readonly as?: 'clock' | 'when' | 'ago'
}

/** In the reader's zone; the exact one on hover. */
export function Time({ at, as = 'when' }: Props) {
  return (
    <time dateTime={isoOf(at)} title={isoOf(at)}>
      {as === 'ago' ? <Ago at={at} /> : as === 'clock' ? clockIn(at) : whenOf(at)}
    </time>
  )
}

function Ago({ at }: { readonly at: number }) {
  return agoOf(at, useNow())
}
