import { DecisionBadge } from '../parts/decision-badge.tsx'
import { href } from '../route/route.ts'
import { changesState, type ExplainedGate, isRelevantRule } from './explained-gate.ts'
import { Leaves } from './leaf.tsx'
import { ExplainedRuleLine } from './rule.tsx'
import { STEP_TEXTS } from './rule-text.ts'

interface Props {
  readonly gate: ExplainedGate
  readonly isAll: boolean
}

/** One gate's part in a decision. */
export function ExplainedGateLine({ gate, isAll }: Props) {
  const isSilent = gate.verdict === 'pass' || gate.verdict === 'skip'
  // a silent gate that changes its state is shown by that change
  const moved = isSilent && gate.stateAfter ? { open: 'opens', closed: 'closes' }[gate.stateAfter] : undefined
  const rules = gate.rules.filter(rule => isAll || isRelevantRule(gate, rule))
  const transitions = gate.transitions.filter(transition => isAll || changesState(transition))
  return (
    <li className="seen-gate">
      <p className="seen-head">
        <DecisionBadge word={moved ?? gate.verdict} />
        <a href={href(['gates', gate.gate])}>{gate.name}</a>
        {gate.layer !== 'project' && <span className="tag">{gate.layer}</span>}
        {gate.state && (
          <span className="quiet">
            {gate.stateBefore ?? gate.state}
            {gate.stateAfter && ` → ${gate.stateAfter}`}
          </span>
        )}
        {gate.mode !== 'block' && <span className="tag">{gate.mode}</span>}
        {gate.at && <code className="at">{gate.at}</code>}
      </p>
      {gate.error && <p className="said">failed: {gate.error}</p>}
      {rules.length + transitions.length > 0 && (
        <ul className="below">
          {rules.map(one => (
            <ExplainedRuleLine key={`${one.kind} ${one.rule} ${one.action}`} rule={one} gate={gate} />
          ))}
          {transitions.map(transition => (
            <li key={transition.transition}>
              <p className="said">
                <span className="name">{transition.transition}</span> {transition.from.join(' or ')} → {transition.to}:{' '}
                {STEP_TEXTS[transition.result]}
                {transition.problem && `: ${transition.problem}`}
              </p>
              {transition.result !== 'event' && (
                <ul className="leaves">
                  <Leaves seen={transition.when} isMissed={transition.result === 'near'} />
                </ul>
              )}
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
