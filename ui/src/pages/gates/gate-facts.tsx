import type { GateCard } from '../../../../src/app/dashboard/api.ts'
import { formatCount, formatPercent, plural } from '../../words/number.ts'

/** The gate's numbers of the period, in one line. */
export function GateFacts({ card }: { readonly card: GateCard }) {
  const { fired, fixed, bypassed, stuck, denied, asked, warned, wouldDeny, wouldAsk, errors } = card.numbers
  return (
    <p className="one-line">
      <span className="quiet">30 days</span>
      <span>
        <b>{formatCount(fired)}</b> fired
      </span>
      <span>
        <b>{formatCount(fixed)}</b> fixed by the agent{fired > 0 && `, ${formatPercent(fixed / fired)}`}
      </span>
      <span>
        <b>{formatCount(bypassed)}</b> bypassed
      </span>
      <span className="word" data-tone={stuck > 0 ? 'ask' : 'plain'}>
        {formatCount(stuck)} stuck
      </span>
      <span className="word" data-tone={asked > 0 ? 'ask' : 'plain'}>
        {formatCount(asked)} asked
      </span>
      <span className="quiet">
        {plural(denied, 'call')} denied, {plural(warned, 'warning')}
        {wouldDeny + wouldAsk > 0 && `, ${formatCount(wouldDeny + wouldAsk)} that mode block would stop`}
      </span>
      {errors > 0 && (
        <span className="word" data-tone="deny">
          {plural(errors, 'error')}
        </span>
      )}
    </p>
  )
}
