import {
  actionsOfTool,
  closesAgain,
  type Evaluation,
  type EvaluationInput,
  type EvaluationTools,
  type Event,
  type Gate,
  judgeGate,
  type MatchContext,
  matchContextFor,
  NO_CONFLICTS,
  type Rule,
  requestsApproval,
  suggestedWords,
  suggestionText,
  type ToolCall,
} from '../../engine/index.ts'
import { tryOr } from '../../lib/errors.ts'
import { MeteredRegex } from '../budget/metered-regex.ts'

type Conflicts = NonNullable<EvaluationTools['conflicts']>
type Refused = Parameters<Conflicts>[0]

/** Completes the actions of an event's call, as for a call that an agent makes. */
type ReadActions = (event: Event) => Event

/** With more denials than this, suggestions are not ordered: a project's policy may have two thousand rules. */
const MOST_REFUSALS = 12
/** A longer suggestion is not evaluated: the event's cost was estimated without it. */
const LONGEST_SUGGESTION = 300
/** Regex steps for all suggestions of one event: about ten milliseconds. */
const MOST_STEPS = 500_000

/**
 * Which denials of a call would also deny the call that one of them suggests, and whose gates that call would close. Evaluates each
 * suggestion with the rules that denied the call. Empty if that would take long, so that an event costs no more than was estimated.
 */
export function suggestionConflicts(
  read: ReadActions,
  ...[of, among, evaluation, states]: Parameters<Conflicts>
): ReturnType<Conflicts> {
  // `views` is set only for expensive events
  if (among.length > MOST_REFUSALS || evaluation.views) return NO_CONFLICTS
  const ordering = orderingOf(among, evaluation)
  const { meter, found } = ordering
  const key = keyOf(of, evaluation.event.client)
  const effects =
    found.get(key) ?? effectsOf(ordering, trialsOf(of, evaluation, read), { ...evaluation, regex: meter }, states)
  found.set(key, effects)
  if (meter.isSpent) return NO_CONFLICTS
  const others = (isMeant: (other: Refused) => boolean) =>
    among.flatMap((other, at) => (other !== of && isMeant(other) ? [at] : []))
  return {
    refusedBy: others(({ rule }) => rule !== undefined && effects.refusing.has(rule)),
    closes: others(({ gate, rule }) => gate !== undefined && rule?.while === 'closed' && effects.closed.has(gate)),
  }
}

/** What the suggestions of one event share. */
interface Ordering {
  readonly meter: MeteredRegex
  /** each gate that denied the call, reduced to the rules that denied it */
  readonly gates: ReadonlyMap<Gate, Gate>
  /** by suggestion */
  readonly found: Map<string, SuggestionEffects>
}

interface SuggestionEffects {
  /** rules that deny it */
  readonly refusing: ReadonlySet<Rule>
  /** gates that it closes */
  readonly closed: ReadonlySet<Gate>
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

function effectsOf(
  { gates }: Ordering,
  trials: readonly Trial[],
  evaluation: Evaluation,
  states: Seen,
): SuggestionEffects {
  const tried = trials.flatMap(trial =>
    [...gates].map(([gate, left]) => ({
      gate,
      left,
      context: matchContextFor(gate, { ...evaluation, ...trial }, states),
    })),
  )
  const firings = tried.flatMap(({ left, context }) => judgeGate(left, context))
  return {
    refusing: new Set(firings.flatMap(({ decision, rule }) => (decision === 'deny' ? [rule] : []))),
    closed: new Set(tried.flatMap(({ gate, context }) => (closesAgain(gate, ended(context)) ? [gate] : []))),
  }
}

/** The suggested call once it has succeeded. */
const ended = ({ event, ...context }: MatchContext): MatchContext => ({
  ...context,
  event: { ...event, kind: 'tool.after', ...(event.call && { call: { ...event.call, status: 'succeeded' } }) },
})

type Seen = Parameters<Conflicts>[3]

type Trial = Pick<EvaluationInput, 'event' | 'facts'>

/** What a denial suggests, as events: the suggested call, and the denied call made by the agent or session that should make it. */
function trialsOf({ rule, render }: Refused, { event, facts }: Trial, read: ReadActions): readonly Trial[] {
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
  const plain = calling({ tool: 'Bash', input: { command }, acts: [{ action: 'run', words: suggestedWords(command) }] })
  if (requestsApproval(command)) return [plain, { event, facts: { ...facts, approved: true } }]
  return [{ facts, event: IS_PLAIN.test(command) ? plain.event : readLine(plain.event, read) }]
}

/** Has something that the agent fills in (`gh pr view <number>`), which a shell would redirect, or runs a script: that names no file. */
const IS_PLAIN = /<\w([^<>|&;]*\w)?>|^(p?npm|yarn|bun) [\w :.-]+$/

/** With the files that the line changes. A line that cannot be read for certain stays a plain list of words. */
function readLine(plain: Event, read: ReadActions): Event {
  const event = tryOr(plain, () => read(plain))
  return event.call?.acts.some(({ opaque }) => opaque) ? plain : event
}
