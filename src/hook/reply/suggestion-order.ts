import {
  actionsOfTool,
  type Evaluation,
  type EvaluationInput,
  type EvaluationTools,
  type Gate,
  judgeGate,
  matchContextFor,
  type Rule,
  requestsApproval,
  suggestedWords,
  suggestionText,
  type ToolCall,
} from '../../engine/index.ts'
import { MeteredRegex } from '../budget/metered-regex.ts'

type Refusers = NonNullable<EvaluationTools['refusers']>
type Refused = Parameters<Refusers>[0]

/** With more denials than this, suggestions are not ordered: a project's policy may have two thousand rules. */
const MOST_REFUSALS = 12
/** A longer suggestion is not evaluated: the event's cost was estimated without it. */
const LONGEST_SUGGESTION = 300
/** Regex steps for all suggestions of one event: about ten milliseconds. */
const MOST_STEPS = 500_000

/**
 * Which denials of a call would also deny the call that one of them suggests. Evaluates each suggestion with the rules that denied the
 * call. Empty if that would take long, so that an event costs no more than was estimated.
 */
export const refusersOfSuggestion: Refusers = (of, among, evaluation, states) => {
  // `views` is set only for expensive events
  if (among.length > MOST_REFUSALS || evaluation.views) return []
  const ordering = orderingOf(among, evaluation)
  const { meter, found } = ordering
  const key = keyOf(of, evaluation.event.client)
  const refusing =
    found.get(key) ?? refusersAmong(ordering, trialsOf(of, evaluation), { ...evaluation, regex: meter }, states)
  found.set(key, refusing)
  if (meter.isSpent) return []
  return among.flatMap((other, at) => (other !== of && other.rule && refusing.has(other.rule) ? [at] : []))
}

/** What the suggestions of one event share. */
interface Ordering {
  readonly meter: MeteredRegex
  /** each gate that denied the call, reduced to the rules that denied it */
  readonly gates: ReadonlyMap<Gate, Gate>
  /** the rules that deny a suggestion, by suggestion */
  readonly found: Map<string, ReadonlySet<Rule>>
}

const orderings = new WeakMap<readonly Refused[], Ordering>()

function orderingOf(among: readonly Refused[], { regex }: Evaluation): Ordering {
  const known = orderings.get(among)
  if (known) return known
  const rules = new Set(among.map(({ rule }) => rule))
  const gates = new Map(among.flatMap(({ gate }) => (gate ? [[gate, onlyWith(gate, rules)] as const] : [])))
  const made = { meter: new MeteredRegex(regex, MOST_STEPS), gates, found: new Map() }
  orderings.set(among, made)
  return made
}

/** If a route denied the call, all routes stay: the first matching route counts. */
function onlyWith({ routes, ...gate }: Gate, rules: ReadonlySet<Rule | undefined>): Gate {
  const own = { ...gate, rules: gate.rules.filter(rule => rules.has(rule)) }
  return routes?.list.some(route => rules.has(route)) ? { ...own, routes } : own
}

/** Equal for denials with the same suggestion. */
function keyOf({ rule, render }: Refused, client: string): string {
  const { suggest } = rule ?? {}
  if (suggest === undefined || !render) return ''
  if (typeof suggest === 'string' || 'line' in suggest) return `line ${render(suggestionText(suggest, client))}`
  const texts = 'agent' in suggest ? [suggest.agent].flat() : [suggest.tool, suggest.path ?? '']
  return JSON.stringify([rule?.while !== undefined, 'agent' in suggest, ...texts.map(render)])
}

function refusersAmong(
  { gates }: Ordering,
  trials: readonly Trial[],
  evaluation: Evaluation,
  states: Seen,
): ReadonlySet<Rule> {
  const firings = trials.flatMap(trial =>
    [...gates].flatMap(([gate, left]) => judgeGate(left, matchContextFor(gate, { ...evaluation, ...trial }, states))),
  )
  return new Set(firings.flatMap(({ says, rule }) => (says === 'deny' ? [rule] : [])))
}

type Seen = Parameters<Refusers>[3]

type Trial = Pick<EvaluationInput, 'event' | 'facts'>

/** What a denial suggests, as events: the suggested call, and the denied call made by the agent or session that should make it. */
function trialsOf({ rule, render }: Refused, { event, facts }: Trial): readonly Trial[] {
  const { suggest } = rule ?? {}
  if (suggest === undefined || !render) return []
  const calling = (call: ToolCall): Trial => ({ facts, event: { ...event, kind: 'tool.before', call } })
  if (typeof suggest === 'object' && 'agent' in suggest) {
    const [agent = ''] = [suggest.agent].flat().map(render)
    if (agent.length > LONGEST_SUGGESTION) return []
    const spawn = calling({ tool: 'Agent', input: { subagent_type: agent }, acts: [{ action: 'spawn', agent }] })
    const caller = { kind: 'agent', id: agent, type: agent } as const
    return rule?.while === undefined && event.call ? [spawn, { facts, event: { ...event, caller } }] : [spawn]
  }
  if (typeof suggest === 'object' && 'tool' in suggest) {
    const { tool, path } = suggest
    const input = path === undefined ? {} : { file_path: render(path).replace(/^(?!\/)/, `${facts.root}/`) }
    if (JSON.stringify(input).length > LONGEST_SUGGESTION + facts.root.length) return []
    const reading = actionsOfTool(tool, input)
    return 'acts' in reading ? [calling({ tool, input, acts: reading.acts })] : []
  }
  const command = render(suggestionText(suggest, event.client))
  if (command.length > LONGEST_SUGGESTION) return []
  const run = calling({ tool: 'Bash', input: { command }, acts: [{ action: 'run', words: suggestedWords(command) }] })
  return requestsApproval(command) ? [run, { event, facts: { ...facts, approved: true } }] : [run]
}
