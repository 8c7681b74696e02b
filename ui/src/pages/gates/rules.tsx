import type { GateRule, GateTransition } from '../../../../src/app/dashboard/api.ts'
import { Sheet } from '../../parts/sheet.tsx'
import { TextWithCode } from '../../parts/text-with-code.tsx'
import { plural } from '../../words/number.ts'

interface Props {
  readonly rules: readonly GateRule[]
  readonly moves: readonly GateTransition[]
}

const MOST = 40
const VERBS: Readonly<Record<string, string>> = { deny: 'denies', ask: 'asks', allow: 'allows', warn: 'warns' }

/** The gate's rules and transitions in words. */
export function Rules({ rules, moves }: Props) {
  return (
    <Sheet title="Rules" about={moves.length > 0 ? 'and what moves it' : undefined}>
      <ul className="rules">
        {rules.slice(0, MOST).map(one => (
          <li key={`${one.kind} ${one.id}`}>
            <p>
              <b>{one.id}</b> {VERBS[one.decision] ?? one.decision}
              {one.while && <span className="quiet"> while {one.while}</span>}
              {one.numbers && <span className="quiet"> · {plural(one.numbers.fired, 'match', 'matches')}</span>}
              {one.at && <code className="at">{one.at}</code>}
            </p>
            <p className="rule-when">
              <TextWithCode text={one.when} />
              {one.unless && (
                <>
                  {' '}
                  · unless <TextWithCode text={one.unless} />
                </>
              )}
            </p>
          </li>
        ))}
        {moves.map(one => (
          <li key={one.id}>
            <p>
              <b>
                {one.from.join(' or ')} → {one.to}
              </b>
              <span className="quiet"> {one.id}</span>
              {one.at && <code className="at">{one.at}</code>}
            </p>
            <p className="rule-when">
              <TextWithCode text={one.when} />
            </p>
          </li>
        ))}
      </ul>
      {rules.length > MOST && <p className="inside quiet">and {plural(rules.length - MOST, 'more route')}</p>}
    </Sheet>
  )
}
