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
        {rules.slice(0, MOST).map(rule => (
          <li key={`${rule.kind} ${rule.id}`}>
            <p>
              <b>{rule.id}</b> {VERBS[rule.decision] ?? rule.decision}
              {rule.while && <span className="quiet"> while {rule.while}</span>}
              {rule.numbers && <span className="quiet"> · {plural(rule.numbers.fired, 'match', 'matches')}</span>}
              {rule.at && <code className="at">{rule.at}</code>}
            </p>
            <p className="rule-when">
              <TextWithCode text={rule.when} />
              {rule.unless && (
                <>
                  {' '}
                  · unless <TextWithCode text={rule.unless} />
                </>
              )}
            </p>
          </li>
        ))}
        {moves.map(move => (
          <li key={move.id}>
            <p>
              <b>
                {move.from.join(' or ')} → {move.to}
              </b>
              <span className="quiet"> {move.id}</span>
              {move.at && <code className="at">{move.at}</code>}
            </p>
            <p className="rule-when">
              <TextWithCode text={move.when} />
            </p>
          </li>
        ))}
      </ul>
      {rules.length > MOST && <p className="inside quiet">and {plural(rules.length - MOST, 'more route')}</p>}
    </Sheet>
  )
}
