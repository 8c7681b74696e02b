import type { ExplainedGate, ExplainedRule, ExplainedTransition } from './explained-gate.ts'

const VERBS = { deny: 'denies', ask: 'asks', allow: 'allows', warn: 'warns' } as const

/** The rule's effect, and how the gate's mode changes it. */
function effectText(decision: ExplainedRule['decision'], { mode, verdict }: ExplainedGate): string {
  if (verdict === 'bypassed') return `${VERBS[decision]}; the gate is bypassed`
  return mode === 'block' ? VERBS[decision] : `${VERBS[decision]}; the gate is in mode ${mode}`
}

export function ruleText({ result, decision }: ExplainedRule, gate: ExplainedGate): string {
  switch (result) {
    case 'fires':
      return effectText(decision, gate)
    case 'lets':
      return 'allows it: later routes are not evaluated'
    case 'unsure':
      return `cannot determine a match, so it ${effectText(decision, gate)}`
    case 'exempt':
      return `would ${decision}, but it is exempt`
    case 'near':
    case 'state':
      return `would ${decision}, but`
    case 'limit':
      return 'has reached its limit'
    case 'before':
      return 'matches too, but an earlier route came first'
    default:
      return 'does not match'
  }
}

export const STEP_TEXTS: Readonly<Record<ExplainedTransition['result'], string>> = {
  moves: 'changes the state',
  prevented: 'would change the state, but the call is not allowed',
  invalid: 'does not change the state: the captured value was rejected',
  spoilt: 'does not open it: the same call closes it again',
  late: 'does not open it: it belongs to an earlier prompt',
  second: 'matches too, but an earlier transition came first',
  near: 'would change the state, but',
  no: 'does not match',
  event: 'is for another kind of event',
  state: 'starts from another state',
  clock: 'is not due: it is checked before each event',
}
