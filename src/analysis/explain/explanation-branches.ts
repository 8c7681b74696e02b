import { padTo } from '../../lib/text-width.ts'
import { truncateLine } from './actual-value.ts'
import type { ConditionTrace } from './condition-trace.ts'
import { unmetLeaves } from './condition-trace.ts'
import type { GateTrace } from './explain-event.ts'
import type { RuleTrace } from './rule-trace.ts'
import type { TransitionTrace } from './transition-trace.ts'
import type { TreeBranch } from './tree-text.ts'

/** A rule with the conditions that decided about it. */
export function ruleBranch(trace: RuleTrace, gate: GateTrace): TreeBranch {
  const { rule, kind, result: fate, decision, at } = trace
  const place = at && at !== gate.at ? `  ${at}` : ''
  const state =
    trace.while && gate.state ? [toLeafBranch(trace.while === gate.state, `while ${trace.while}`, gate.state)] : []
  const name = kind === 'route' ? `route ${rule}` : rule
  const whole = (): readonly TreeBranch[] => [...state, ...conjunctBranches(trace.when), ...unlessBranches(trace)]
  switch (fate) {
    case 'fires':
      return { text: `${name} ${ruleEffectText(decision, gate)}${place}`, below: whole() }
    case 'lets':
      return { text: `${name} allows it: later routes are not evaluated${place}`, below: whole() }
    case 'unsure':
      return {
        text: `${name} cannot determine a match, so it ${ruleEffectText(decision, gate)}${place}`,
        below: whole(),
      }
    case 'exempt':
      return {
        text: `${name} would ${decision}, but it is exempt${place}`,
        below: [...conjunctBranches(trace.when), ...unlessBranches(trace)],
      }
    case 'near':
      return {
        text: `${name} would ${decision}, but${place}`,
        below: [...state, ...unmetLeaves(trace.when, true).map(leafBranch)],
      }
    case 'state':
      return {
        text: `${name} would ${decision}, but${place}`,
        below: [...state, ...(trace.wouldMatch ? [] : conjunctBranches(trace.when))],
      }
    case 'limit':
      return { text: `${name} has reached its limit${place}`, below: whole() }
    case 'before':
      return { text: `${name} matches too, but an earlier route came first${place}` }
    default:
      return {
        text: `${name} does not match${place}`,
        below: [...state, ...unmetLeaves(trace.when, true).map(leafBranch)],
      }
  }
}

/** The rule's decision, and how a bypass or the gate's mode changes it. */
const ruleEffectText = (decision: RuleTrace['decision'], { mode, verdict }: GateTrace): string => {
  const word = { deny: 'denies', ask: 'asks', allow: 'allows', warn: 'warns' }[decision]
  if (verdict === 'bypassed') return `${word}; the gate is bypassed`
  return mode === 'block' ? word : `${word}; the gate is in mode ${mode}`
}

const unlessBranches = ({ unless }: RuleTrace): readonly TreeBranch[] =>
  unless ? [{ text: `${unless.truth === 'true' ? 'yes' : 'NO '} unless`, below: conjunctBranches(unless) }] : []

const TRANSITION_PHRASES: Readonly<Record<TransitionTrace['result'], string>> = {
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

export function transitionBranch({
  transition,
  from,
  to,
  result: step,
  when,
  problem,
  at,
}: TransitionTrace): TreeBranch {
  const below =
    step === 'near' || step === 'no'
      ? unmetLeaves(when, true).map(leafBranch)
      : step === 'event'
        ? []
        : conjunctBranches(when)
  const why = problem === undefined ? '' : `: ${truncateLine(problem)}`
  return {
    text: `${transition} (${from.join(' or ')} → ${to}) ${TRANSITION_PHRASES[step]}${why}${at ? `  ${at}` : ''}`,
    below,
  }
}

/** Flattens nested `all` conditions: all parts that must be met are shown on one level. */
export const conjunctBranches = (trace: ConditionTrace): readonly TreeBranch[] =>
  trace.operator === 'all' ? (trace.parts ?? []).flatMap(conjunctBranches) : [traceBranch(trace)]

/** Shows a condition as one branch, so that each alternative of an `any` stays together. */
function traceBranch(trace: ConditionTrace): TreeBranch {
  const { truth, text, operator: joins, parts = [] } = trace
  if (joins === undefined) return leafBranch(trace)
  const [only, second] = parts
  if (joins !== 'not' && only && !second) return traceBranch(only)
  // Of an `any` that is met, only the alternative that met it is shown.
  const met = joins === 'any' && truth === 'true' ? parts.filter(part => part.truth === 'true').slice(0, 1) : parts
  return {
    text: `${TRUTH_MARKS[truth]} ${text}`,
    below: joins === 'all' ? parts.flatMap(conjunctBranches) : met.map(traceBranch),
  }
}

const TRUTH_MARKS = { true: 'yes', false: 'NO ', unknown: '?  ' }

const leafBranch = ({ truth, text, actual: got }: ConditionTrace): TreeBranch =>
  toLeafBranch(truth === 'unknown' ? undefined : truth === 'true', text, got ?? '')

const toLeafBranch = (met: boolean | undefined, text: string, got: string): TreeBranch => ({
  text: `${met === undefined ? TRUTH_MARKS.unknown : met ? TRUTH_MARKS.true : TRUTH_MARKS.false} ${padTo(truncateLine(text, 90), 28)}  got ${got}`,
})
