import type { Gate, Route, Rule, Transition } from '../core/index.ts'
import { aboutOf, inShort, isEmpty } from './about.ts'
import { captureOf, cutAtWord, traitsOf } from './traits.ts'
import { inWords } from './words.ts'

const MOST_RULES = 12
/** A condition of a transition is told whole, where that can be read at all. */
const LONGEST_LABEL = 240
const LONGEST_ABOUT = 100

/** A gate as a Mermaid state diagram: its states, what moves it, and what its rules say in each. */
export function diagramOf(gate: Gate, root: string): string {
  const rules = [...gate.rules, ...(gate.routes?.list ?? [])]
  return [
    'stateDiagram-v2',
    ...(gate.initial === undefined ? stateless(gate, rules, root) : stateful(gate, rules, root)),
  ]
    .map((line, nth) => (nth === 0 ? line : `  ${line}`))
    .join('\n')
}

function stateful(gate: Gate, rules: readonly (Rule | Route)[], root: string): readonly string[] {
  // in every state: whoever looks at one of them reads it there
  const always = rules.filter(rule => rule.while === undefined)
  return [
    `[*] --> ${gate.initial}`,
    ...gate.transitions.flatMap(transition =>
      transition.from.map(one => `${one} --> ${transition.to}: ${label(movingOf(transition, ', ', root))}`),
    ),
    ...(['closed', 'open'] as const).flatMap(state =>
      noteOf(state, gate, [...rules.filter(rule => rule.while === state), ...always], root, [
        modeOf(gate),
        ...(state === gate.initial ? traitsOf(gate, root) : []),
      ]),
    ),
  ]
}

/** What makes a transition, whole where that can be read at all; what an answer must have is never cut. */
export const movingOf = (transition: Transition, mark: string, root: string): string => {
  const { id, clock, when } = transition
  const moved = `${id}${mark}${clock ? 'by the clock, ' : ''}${inWords(when, root)}`
  return `${cutAtWord(moved, LONGEST_LABEL)}${captureOf(transition)}`
}

/** A gate without a state is always in force. */
const stateless = (gate: Gate, rules: readonly (Rule | Route)[], root: string): readonly string[] => {
  const id = `gate_${gate.name.replace(/\W/g, '_')}`
  return [`state "${label(titleOf(gate, ', always'))}" as ${id}`, ...noteOf(id, gate, rules, root)]
}

/** What a gate is called, and its mode where it stops nothing. */
export const titleOf = (gate: Gate, more = ''): string => {
  const mode = modeOf(gate)
  return `${gate.name}${more}${mode === '' ? '' : ` (${mode})`}`
}

const modeOf = ({ mode }: Gate): string => (mode === 'block' ? '' : `mode ${mode}: stops nothing`)

function noteOf(
  state: string,
  gate: Gate,
  rules: readonly (Rule | Route)[],
  root: string,
  head: readonly string[] = [],
): readonly string[] {
  const [mode = '', ...traits] = head
  if (rules.length === 0 && traits.length === 0) return []
  const said = rules.slice(0, MOST_RULES).map(rule => sayingOf(rule, gate, root))
  const lines = [mode, ...traits, ...said].filter(Boolean).map(line => `  ${label(line)}`)
  const rest = rules.length - MOST_RULES
  return [`note right of ${state}`, ...lines, ...(rest > 0 ? [`  and ${rest} more`] : []), 'end note']
}

/** `rule-1 denies 'git push' unless caller releaser, 3 times at most` */
export const sayingOf = (rule: Rule | Route, { mode }: Gate, root: string): string => {
  const word = 'allow' in rule && rule.allow ? 'lets through' : WORDS[mode][rule.then]
  const limit = rule.limit === undefined ? '' : `, ${rule.limit} time${rule.limit === 1 ? '' : 's'} at most`
  const unless =
    rule.unless && !isEmpty(rule.unless) ? ` unless ${cutAtWord(inShort(rule.unless, root), LONGEST_ABOUT)}` : ''
  return `${rule.id} ${word} ${cutAtWord(aboutOf(rule, root), LONGEST_ABOUT)}${unless}${limit}`
}

/** What a gate's mode makes of what its rule says. */
const WORDS: Readonly<Record<Gate['mode'], Readonly<Record<Rule['then'], string>>>> = {
  block: { deny: 'denies', ask: 'asks', allow: 'allows', warn: 'warns' },
  warn: { deny: 'warns of', ask: 'warns of', allow: 'would allow', warn: 'warns' },
  observe: { deny: 'would deny', ask: 'would ask', allow: 'would allow', warn: 'would warn' },
}

/** Mermaid reads these as its own signs, a line break as the end, and angle brackets as HTML. */
const label = (text: string): string =>
  text.replace(/[#;:%<>"{}]/g, sign => `#${sign.charCodeAt(0)};`).replaceAll('`', "'")
