import type { GateSeen, RuleSeen } from './branch.ts'
import { LeafLine, Leaves } from './leaf.tsx'
import { ruleWords } from './words.ts'

interface Props {
  readonly rule: RuleSeen
  readonly gate: GateSeen
}

/** A rule or route, what came of it, and why. */
export function RuleSeenLine({ rule, gate }: Props) {
  const { while: state, unless, fate } = rule
  const isKept = fate === 'near' || fate === 'state'
  return (
    <li>
      <p className="said">
        <span className="name">{rule.kind === 'route' ? `route ${rule.rule}` : rule.rule}</span> {ruleWords(rule, gate)}
        {rule.at !== undefined && rule.at !== gate.at && <code className="at">{rule.at}</code>}
      </p>
      {fate !== 'before' && (
        <ul className="leaves">
          {state && gate.state && !(isKept && state === gate.state) && (
            <LeafLine truth={state === gate.state ? 'true' : 'false'} says={`while ${state}`} got={gate.state} />
          )}
          {(fate !== 'state' || !rule.would) && <Leaves seen={rule.when} isMissed={isKept} />}
          {unless && fate === 'exempt' && (
            <LeafLine truth={unless.truth} says={`unless ${unless.says}`} got={unless.got} />
          )}
        </ul>
      )}
    </li>
  )
}
