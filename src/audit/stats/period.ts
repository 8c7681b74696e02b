import { parseTimeArgument, TIME_ARGUMENT_HELP } from '../../lib/time-argument.ts'
import { HOUR_MS, hourOf } from './time.ts'

/** Whole hours, in milliseconds since 1970; `to` is exclusive. */
export interface Period {
  readonly from: number
  readonly to: number
}

const DEFAULT_PERIOD = '7d'

/** The period, or a one-line error. */
export function parsePeriod(since: string | undefined, until: string | undefined, now: number): Period | string {
  const to = until === undefined ? now : parseTimeArgument(until, now)
  if (to === undefined) return invalidTimeText('until', until)
  // Without `--since`: one week up to the end.
  const from = parseTimeArgument(since ?? DEFAULT_PERIOD, since === undefined ? to : now)
  if (from === undefined) return invalidTimeText('since', since)
  if (to < from && until === undefined) return `\`--since ${since}\` is in the future`
  if (to < from) return `\`--until ${until}\` is before \`--since ${since}\``
  return { from: hourOf(from) * HOUR_MS, to: (hourOf(Math.max(from, to - 1)) + 1) * HOUR_MS }
}

const invalidTimeText = (option: string, text: string | undefined): string =>
  `\`--${option} ${text}\`: ${TIME_ARGUMENT_HELP}`
