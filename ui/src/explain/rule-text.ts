import type { ExplainedGate, ExplainedRule, ExplainedTransition } from './explained-gate.ts'

const SAYS = { deny: 'denies', ask: 'asks', allow: 'allows', warn: 'warns' } as const

/** The rule's effect, and how the gate's mode changes it. */
function saying(says: ExplainedRule['says'], { mode, verdict }: ExplainedGate): string {
  if (verdict === 'bypassed') return `${SAYS[says]}; the gate is bypassed`
  return mode === 'block' ? SAYS[says] : `${SAYS[says]}; the gate is in mode ${mode}`
}

export function ruleText({ fate, says }: ExplainedRule, gate: ExplainedGate): string {
  switch (fate) {
    case 'fires':
      return saying(says, gate)
    case 'lets':
      return 'lets it through: no route after it is asked'
    case 'unsure':
      return `cannot tell, and then ${saying(says, gate)}`
    case 'exempt':
      return `would ${says}, but it is exempt`
    case 'near':
    case 'state':
      return `would ${says}, but`
    case 'limit':
      return 'has spoken as often as its limit lets it'
    case 'before':
      return 'matches too, but an earlier route came first'
    default:
      return 'is silent'
  }
}

export const STEP_TEXTS: Readonly<Record<ExplainedTransition['step'], string>> = {
  moves: 'moves it',
  held: 'would move it, but the call is not let through',
  invalid: 'does not move it: what it captures was not accepted',
  spoilt: 'does not open it: the same call closes it again',
  late: 'does not open it: it answers an earlier prompt',
  second: 'matches too, but an earlier transition came first',
  near: 'would move it, but',
  no: 'does not match',
  event: 'is about another event',
  state: 'starts from another state',
  clock: 'waits for the clock',
}
