import type { ExplainedGate, ExplainedRule } from './explained-gate.ts'
import { LeafLine, Leaves } from './leaf.tsx'
import { ruleText } from './rule-text.ts'

interface Props {
  readonly rule: ExplainedRule
  readonly gate: ExplainedGate
}

/** A rule or route, its result and the reason. */
export function ExplainedRuleLine({ rule, gate }: Props) {
  const { while: state, unless, result: fate } = rule
  const isNearMiss = fate === 'near' || fate === 'state'
  return (
    <li>
      <p className="said">
        <span className="name">{rule.kind === 'route' ? `route ${rule.rule}` : rule.rule}</span> {ruleText(rule, gate)}
        {rule.at !== undefined && rule.at !== gate.at && <code className="at">{rule.at}</code>}
      </p>
      {fate !== 'before' && (
        <ul className="leaves">
          {state && gate.state && !(isNearMiss && state === gate.state) && (
            <LeafLine truth={state === gate.state ? 'true' : 'false'} text={`while ${state}`} got={gate.state} />
          )}
          {(fate !== 'state' || !rule.wouldMatch) && <Leaves seen={rule.when} isMissed={isNearMiss} />}
          {unless && fate === 'exempt' && (
            <LeafLine truth={unless.truth} text={`unless ${unless.text}`} got={unless.actual} />
          )}
        </ul>
      )}
    </li>
  )
}
