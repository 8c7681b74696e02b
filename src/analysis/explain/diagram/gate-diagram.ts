import type { Gate, GateState, Route, Rule, Transition } from '../../../engine/index.ts'
import { describeCondition } from '../condition-text.ts'
import { describeRuleSubject, isUnsatisfiable, summarizeCondition } from '../rule-subject.ts'
import { describeCapture, gateTraits, truncateAtWord } from './gate-traits.ts'

const MAX_RULES = 12
/** Long enough to show almost every transition's condition in full. */
const MAX_LABEL_LENGTH = 240
const MAX_SUBJECT_LENGTH = 100

/** Renders a gate as a Mermaid state diagram: its states, its transitions and the rules of each state. */
export function renderGateDiagram(gate: Gate, root: string): string {
  const rules = [...gate.rules, ...(gate.routes?.list ?? [])]
  return [
    'stateDiagram-v2',
    ...(gate.initial === undefined ? statelessGateLines(gate, rules, root) : statefulGateLines(gate, rules, root)),
  ]
    .map((line, nth) => (nth === 0 ? line : `  ${line}`))
    .join('\n')
}

function statefulGateLines(gate: Gate, rules: readonly (Rule | Route)[], root: string): readonly string[] {
  return [
    `[*] --> ${gate.initial}`,
    ...gate.transitions.flatMap(transition =>
      transition.from.map(
        gateState => `${gateState} --> ${transition.to}: ${escapeLabel(describeTransition(transition, ', ', root))}`,
      ),
    ),
    ...(['closed', 'open'] as const).flatMap(state => note(state, stateLines(gate, state, rules, root))),
  ]
}

/** What a state's box says: the gate's traits if it begins there, then the rules that apply in the state. */
function stateLines(gate: Gate, state: GateState, rules: readonly (Rule | Route)[], root: string): readonly string[] {
  // Rules without `while` apply in every state.
  const here = [...rules.filter(rule => rule.while === state), ...rules.filter(rule => rule.while === undefined)]
  const traits = state === gate.initial ? gateTraits(gate, root) : []
  if (here.length + traits.length === 0) return []
  return [modeNote(gate), ...traits, ...ruleLines(gate, here, root)].filter(Boolean)
}

/** The states of a gate, the initial one first, each with its lines. A gate without state has none. */
export function describeGateStates(
  gate: Gate,
  root: string,
): readonly { state: GateState; lines: readonly string[] }[] {
  if (gate.initial === undefined) return []
  const rules = [...gate.rules, ...(gate.routes?.list ?? [])]
  const states: readonly GateState[] = gate.initial === 'open' ? ['open', 'closed'] : ['closed', 'open']
  return states.map(state => ({ state, lines: stateLines(gate, state, rules, root) }))
}

/** The condition of a transition, truncated only if very long; requirements on a captured answer are never truncated. */
export const describeTransition = (transition: Transition, mark: string, root: string): string => {
  const { id, clock, when } = transition
  const moved = `${id}${mark}${clock ? 'before the next event, when ' : ''}${describeCondition(when, root)}`
  return `${truncateAtWord(moved, MAX_LABEL_LENGTH)}${describeCapture(transition)}`
}

/** A gate without state always applies. */
const statelessGateLines = (gate: Gate, rules: readonly (Rule | Route)[], root: string): readonly string[] => {
  const id = `gate_${gate.name.replace(/\W/g, '_')}`
  return [`state "${escapeLabel(gateTitle(gate, ', always'))}" as ${id}`, ...note(id, ruleLines(gate, rules, root))]
}

/** The gate's name, with its mode if that mode blocks nothing. */
export const gateTitle = (gate: Gate, more = ''): string => {
  const mode = modeNote(gate)
  return `${gate.name}${more}${mode === '' ? '' : ` (${mode})`}`
}

const modeNote = ({ mode }: Gate): string => (mode === 'block' ? '' : `mode ${mode}: blocks nothing`)

const note = (state: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`note right of ${state}`, ...lines.map(line => `  ${escapeLabel(line)}`), 'end note']

function ruleLines(gate: Gate, rules: readonly (Rule | Route)[], root: string): readonly string[] {
  const rest = rules.length - MAX_RULES
  const lines = rules.slice(0, MAX_RULES).map(rule => describeRule(rule, gate, root))
  return rest > 0 ? [...lines, `and ${rest} more`] : lines
}

/** `rule-1 denies 'git push' unless caller releaser, 3 times at most` */
export const describeRule = (rule: Rule | Route, { mode }: Gate, root: string): string => {
  const word = 'allow' in rule && rule.allow ? 'lets through' : EFFECT_VERBS[mode][rule.then]
  const limit = rule.limit === undefined ? '' : `, ${rule.limit} time${rule.limit === 1 ? '' : 's'} at most`
  const unless =
    rule.unless && !isUnsatisfiable(rule.unless)
      ? ` unless ${truncateAtWord(summarizeCondition(rule.unless, root), MAX_SUBJECT_LENGTH)}`
      : ''
  return `${rule.id} ${word} ${truncateAtWord(describeRuleSubject(rule, root), MAX_SUBJECT_LENGTH)}${unless}${limit}`
}

/** The verb for a rule's decision under each mode of its gate. */
const EFFECT_VERBS: Readonly<Record<Gate['mode'], Readonly<Record<Rule['then'], string>>>> = {
  block: { deny: 'denies', ask: 'asks', allow: 'allows', warn: 'warns' },
  warn: { deny: 'warns of', ask: 'warns of', allow: 'would allow', warn: 'warns' },
  observe: { deny: 'would deny', ask: 'would ask', allow: 'would allow', warn: 'would warn' },
}

/** Escapes characters that Mermaid would read as its own syntax or as HTML. */
const escapeLabel = (text: string): string =>
  text.replace(/[#;:%<>"{}]/g, sign => `#${sign.charCodeAt(0)};`).replaceAll('`', "'")
