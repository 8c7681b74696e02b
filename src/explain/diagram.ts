import type { Gate, Route, Rule } from '../core/index.ts'
import { aboutOf } from './about.ts'
import { cut } from './got.ts'
import { inWords } from './words.ts'

const MOST_RULES = 12
const LONGEST_LABEL = 90
const LONGEST_ABOUT = 60

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
    ...gate.transitions.flatMap(({ from, to, when, clock, id }) =>
      from.map(one => `${one} --> ${to}: ${label(`${id}, ${clock ? 'by the clock, ' : ''}${inWords(when, root)}`)}`),
    ),
    ...(['closed', 'open'] as const).flatMap(state =>
      noteOf(state, [...rules.filter(rule => rule.while === state), ...always], root),
    ),
  ]
}

/** A gate without a state is always in force. */
const stateless = (gate: Gate, rules: readonly (Rule | Route)[], root: string): readonly string[] => {
  const id = `gate_${gate.name.replace(/\W/g, '_')}`
  return [`state "${label(gate.name)}, always" as ${id}`, ...noteOf(id, rules, root)]
}

function noteOf(state: string, rules: readonly (Rule | Route)[], root: string): readonly string[] {
  if (rules.length === 0) return []
  const lines = rules.slice(0, MOST_RULES).map(rule => `  ${label(sayingOf(rule, root))}`)
  const rest = rules.length - MOST_RULES
  return [`note right of ${state}`, ...lines, ...(rest > 0 ? [`  and ${rest} more`] : []), 'end note']
}

/** `rule-1 denies 'git push', 3 times at most` */
export const sayingOf = (rule: Rule | Route, root: string): string => {
  const word =
    'allow' in rule && rule.allow
      ? 'lets through'
      : { deny: 'denies', ask: 'asks', allow: 'allows', warn: 'warns' }[rule.then]
  const limit = rule.limit === undefined ? '' : `, ${rule.limit} time${rule.limit === 1 ? '' : 's'} at most`
  return `${rule.id} ${word} ${cut(aboutOf(rule, root), LONGEST_ABOUT)}${limit}`
}

/** Mermaid reads these as its own signs, a line break as the end, and angle brackets as HTML. */
const label = (text: string): string =>
  cut(text, LONGEST_LABEL)
    .replace(/[#;:%<>"{}]/g, sign => `#${sign.charCodeAt(0)};`)
    .replaceAll('`', "'")
