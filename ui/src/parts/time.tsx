import { formatAgo, formatClockOrDay, formatIso, formatWhen } from '../words/time.ts'
import { useNow } from './use-now.ts'

interface Props {
  readonly at: number
  readonly as?: 'clock' | 'when' | 'ago'
}

/** A time in the reader's time zone, with the exact time as a tooltip. */
export function Time({ at, as = 'when' }: Props) {
  return (
    <time dateTime={formatIso(at)} title={formatIso(at)}>
      {as === 'ago' ? <Ago at={at} /> : as === 'clock' ? formatClockOrDay(at) : formatWhen(at)}
    </time>
  )
}

function Ago({ at }: { readonly at: number }) {
  return formatAgo(at, useNow())
}
