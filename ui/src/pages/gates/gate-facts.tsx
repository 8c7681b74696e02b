import type { GateCard } from '../../../../src/dashboard/api.ts'
import { countOf, percentOf, plural } from '../../words/number.ts'

/** What it did in the period, in one line. */
export function GateFacts({ card }: { readonly card: GateCard }) {
  const { fired, fixed, bypassed, stuck, denied, asked, warned, wouldDeny, wouldAsk, errors } = card.numbers
  return (
    <p className="one-line">
      <span className="quiet">30 days</span>
      <span>
        <b>{countOf(fired)}</b> fired
      </span>
      <span>
        <b>{countOf(fixed)}</b> fixed by the agent{fired > 0 && `, ${percentOf(fixed / fired)}`}
      </span>
      <span>
        <b>{countOf(bypassed)}</b> bypassed
      </span>
      <span className="word" data-tone={stuck > 0 ? 'ask' : 'plain'}>
        {countOf(stuck)} stuck
      </span>
      <span className="word" data-tone={asked > 0 ? 'ask' : 'plain'}>
        {countOf(asked)} asked about
      </span>
      <span className="quiet">
        {plural(denied, 'call')} refused, {countOf(warned)} warned of
        {wouldDeny + wouldAsk > 0 && `, ${countOf(wouldDeny + wouldAsk)} let through that mode block stops`}
      </span>
      {errors > 0 && (
        <span className="word" data-tone="deny">
          {plural(errors, 'error')}
        </span>
      )}
    </p>
  )
}
