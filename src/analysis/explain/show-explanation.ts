import type { Action, Decision, Event } from '../../engine/index.ts'
import { escapeControlChars } from '../../lib/escape-control-chars.ts'
import { padTo, widestOf } from '../../lib/text-width.ts'
import { truncateLine } from './actual-value.ts'
import type { ConditionTrace } from './condition-trace.ts'
import { unmetLeaves } from './condition-trace.ts'
import { type Counterfactual, emphasizeDecision } from './counterfactual/counterfactual.ts'
import type { Explanation, GateTrace } from './explain-event.ts'
import { conjunctBranches, ruleBranch, transitionBranch } from './explanation-branches.ts'
import type { RuleTrace } from './rule-trace.ts'
import { drawTree, type TreeBranch } from './tree-text.ts'

interface RecordedReply {
  readonly decision: Decision
  readonly reason?: string | undefined
}

export interface ExplanationOptions {
  /** also show gates without a verdict and rules about other events */
  readonly all?: boolean
  readonly counterfactuals: readonly Counterfactual[]
  readonly notes?: readonly string[]
  /** the recorded decision and the reason given to the agent, if a record exists */
  readonly recorded?: RecordedReply
  /** no counterfactuals were searched for */
  readonly untried?: boolean
}

/** Prints the explanation as a tree: the verdict first, the counterfactuals last. */
export function showExplanation(
  head: string,
  explanation: Explanation,
  { all = false, counterfactuals, notes = [], recorded = explanation, untried = false }: ExplanationOptions,
): string {
  const shown = explanation.gates.filter(gate => all || isRelevantGate(gate))
  const quiet = explanation.gates.length - shown.length
  const width = widestOf(shown.map(gateLabel))
  const branches = [
    ...shown.map(gate => gateBranch(gate, width, all)),
    ...(quiet > 0 ? [{ text: `${quiet} other gate${quiet === 1 ? '' : 's'}: not relevant (--all lists them)` }] : []),
  ]
  const nothing = explanation.gates.length === 0 ? ['no gate applies here'] : []
  return [
    head,
    ...drawTree(branches, ''),
    ...nothing,
    ...replyLines(recorded),
    ...notes.map(note => `Note  ${note}`),
    ...counterfactuals.map(counterfactual => `What if  ${counterfactual.text}`),
    ...(counterfactuals.length === 0 && !untried && isRefused(explanation)
      ? [`What if  ${noCounterfactualText(explanation)}`]
      : []),
  ]
    .map(escapeControlChars)
    .join('\n')
}

/** The reason as the denied agent, or the person asked to confirm, reads it. */
const replyLines = ({ decision, reason = '' }: RecordedReply): readonly string[] =>
  reason !== '' && isRefused({ decision })
    ? reason.split('\n').map((line, nth) => `${nth === 0 ? 'Reason' : '      '}  ${line}`.trimEnd())
    : []

const isRefused = ({ decision }: RecordedReply): boolean => decision === 'deny' || decision === 'ask'

/** Text for a search in which every change led to the same decision. */
function noCounterfactualText({ gates, decision }: Explanation): string {
  const closed = gates.filter(gate => gate.verdict === decision && gate.state === 'closed').map(gate => gate.name)
  if (closed.length === 0) return 'none: no change that was tried leads to another decision'
  return `none: nothing that was tried opens ${closed.join(' and ')} for it`
}

/** The decision, the event and the deciding rule on one line. */
export function explanationHeadline({ decision, gate, rule, gates }: Explanation, event: Event): string {
  const by = gate === undefined ? '' : `  by ${gate}, ${rule}`
  const warns = decision === 'pass' && gates.some(trace => trace.verdict === 'warn')
  return `${warns ? 'warn' : emphasizeDecision(decision)}  ${describeEvent(event)}  ${event.kind}${by}`
}

export function describeEvent({ kind, call, prompt, agent }: Event): string {
  if (call) {
    const { command, file_path, url, subagent_type } = call.input
    const object =
      [command, file_path, url, subagent_type].find(value => typeof value === 'string') ?? actionTexts(call.acts)
    return truncateLine(call.tool === 'Bash' && object ? String(object) : `${call.tool} ${object ?? ''}`, 70)
  }
  if (prompt) return truncateLine(JSON.stringify(prompt.text), 70)
  return agent ?? kind
}

/** Describes a call whose input was not recorded. Lists all actions, because the denied action need not be the first. */
const actionTexts = (actions: readonly Action[]): string =>
  actions
    .map(({ via, url, agent, place }) => via ?? url ?? agent ?? place?.lexical ?? '')
    .filter(Boolean)
    .join('; ')

/** One line for each rule that nearly matched, with the reason it did not; `only` limits this to one gate. */
export function listNearMisses(explanation: Explanation, only?: string): readonly string[] {
  const gates = explanation.gates.filter(gate => only === undefined || gate.name === only || gate.gate === only)
  // If a rule missed by a close leaf or an exemption, the other near misses are left out.
  const isClose = ({ result: fate, when }: RuleTrace): boolean =>
    fate === 'exempt' || (fate === 'near' && unmetLeaves(when, true).some(leaf => leaf.close))
  const isAny = gates.some(gate => gate.layer !== 'built-in' && gate.rules.some(isClose))
  return gates.flatMap(gate =>
    gate.rules.flatMap(trace => {
      const { rule, result: fate, wouldMatch: would, when, while: state, unless } = trace
      const name = `${gate.name}, ${rule}`
      if (fate === 'state' && would) return [`${name} applies while ${state}, got ${gate.state}`]
      if (fate === 'near' && gate.layer !== 'built-in' && (!isAny || isClose(trace)))
        return unmetLeaves(when, true).map(leaf => `${name} expects ${leaf.text}, got ${leaf.actual}`)
      if (fate === 'exempt') return [`${name} is exempt: unless ${firstMetLeafText(unless)}`]
      return []
    }),
  )
}

/** The first leaf that made the exemption match. */
function firstMetLeafText(trace: ConditionTrace | undefined): string {
  if (!trace) return ''
  if (trace.operator === undefined) return `${trace.text}, got ${trace.actual}`
  return firstMetLeafText(trace.parts?.find(part => part.truth === trace.truth) ?? trace.parts?.[0])
}

const isRelevantGate = (gate: GateTrace): boolean => {
  const { verdict, rules, transitions, layer } = gate
  return (
    (verdict !== 'pass' && verdict !== 'skip') ||
    transitions.some(
      transition =>
        transition.result !== 'event' &&
        transition.result !== 'clock' &&
        transition.result !== 'no' &&
        transition.result !== 'state',
    ) ||
    rules.some(rule => isRelevantRule(gate, rule)) ||
    (layer !== 'built-in' && verdict === 'pass')
  )
}

const RELEVANT_OUTCOMES: ReadonlySet<string> = new Set(['fires', 'unsure', 'lets', 'exempt', 'near', 'before', 'limit'])
const isRelevantOutcome = ({ result: fate, wouldMatch: would }: RuleTrace): boolean =>
  RELEVANT_OUTCOMES.has(fate) || (fate === 'state' && would)

/** Built-in gates cover so much that some part always matches, so their near misses count only if a leaf is `close`. */
const isRelevantRule = ({ layer }: GateTrace, trace: RuleTrace): boolean =>
  isRelevantOutcome(trace) &&
  (layer !== 'built-in' || trace.result !== 'near' || unmetLeaves(trace.when, true).some(leaf => leaf.close))

/** Long enough for the paths in an error, and what it says to do at its end. */
const MAX_ERROR_LENGTH = 500

/** The gate's name; with its layer if that is not the project's. */
const gateLabel = ({ gate, name, layer }: GateTrace): string => (layer === 'project' ? name : gate)

function gateBranch(gate: GateTrace, width: number, all: boolean): TreeBranch {
  const rules = gate.rules.filter(rule => all || isRelevantRule(gate, rule))
  const quiet = gate.rules.filter(rule => !rules.includes(rule))
  const transitions = gate.transitions.filter(
    transition =>
      all ||
      (transition.result !== 'event' &&
        transition.result !== 'clock' &&
        transition.result !== 'no' &&
        transition.result !== 'state'),
  )
  const why =
    rules.length === 0 &&
    quiet.length > 0 &&
    gate.stateAfter === undefined &&
    (gate.verdict === 'pass' || gate.verdict === 'skip')
      ? `  ${silenceReason(gate)}`
      : ''
  const moves = gate.stateAfter ? ` → ${gate.stateAfter}` : ''
  const state = gate.state ? `  ${gate.stateBefore ?? gate.state}${moves}` : ''
  const place = gate.at ? `  ${gate.at}` : ''
  return {
    text: `${padTo(gateLabel(gate), width)}  ${verdictWord(gate).padEnd(5)}${state}${place}${why}`.trimEnd(),
    below: [
      ...(gate.error ? [{ text: `failed: ${truncateLine(gate.error, MAX_ERROR_LENGTH)}` }] : []),
      ...(gate.bypass ? [{ text: 'bypassed', below: conjunctBranches(gate.bypass) }] : []),
      ...rules.map(rule => ruleBranch(rule, gate)),
      ...transitions.map(transitionBranch),
    ],
  }
}

/** For a gate that decides nothing but changes state, the change is shown instead of the verdict. */
const verdictWord = ({ verdict, stateAfter: becomes }: GateTrace): string =>
  becomes !== undefined && (verdict === 'pass' || verdict === 'skip')
    ? { open: 'opens', closed: 'closes' }[becomes]
    : emphasizeDecision(verdict)

/** Why a gate has no verdict, if none of its rules nearly matched. */
function silenceReason({ rules, routes = 0 }: GateTrace): string {
  if (rules.every(rule => rule.result === 'event')) return 'no rule for this kind of event'
  if (rules.length === 0) return routes > 0 ? 'no route matches' : ''
  return `${rules.length} rule${rules.length === 1 ? '' : 's'}, none nearly matched`
}
