import type { Json } from '../../lib/json.ts'
import { shapeErrors } from '../../lib/json-shape.ts'
import { findRouteCandidates } from '../match/route-index.ts'
import type { Truth } from '../match/three-valued.ts'
import { urlParts } from '../model/condition.ts'
import type { Action, Event } from '../model/event.ts'
import type { Gate, Route, RouteTable, Rule, RuleDecision, Transition } from '../model/gate.ts'
import { isStaleAnswer, type Session } from '../model/session.ts'
import type { Capability } from '../model/verdict.ts'
import { DECISIONS, type Decision, type Outcome, type Verdict } from '../model/verdict.ts'
import type { EventKind } from '../model/vocabulary.ts'
import { actionsOf, type MatchContext, matchPrefiltered } from './condition.ts'

/** A rule or route that matched, before its gate's mode is applied. */
export interface MatchedRule {
  readonly rule: Route
  readonly act: Action
  /** named parts of the URL that matched */
  readonly named: Readonly<Record<string, string>>
  /** the condition is unknown: `says` is the rule's `unsure` */
  readonly unsure: boolean
  readonly decision: RuleDecision
  /** what only a code gate can add: a message to the person, `continue`, `suppressOutput` */
  readonly more?: Omit<Verdict, 'decision' | 'reason' | 'context'>
}

/** A route for a named tool also matches the URL in its input: texts speak of that one. */
function withUrlOfInput(act: Action, { call }: Event): Action {
  const url = call?.input.url
  return act.url === undefined && typeof url === 'string' ? { ...act, url } : act
}

/** Everything that one gate's rules and routes decide about the event. */
export function judgeGate(gate: Gate, context: MatchContext): readonly MatchedRule[] {
  const fromRules = gate.rules.flatMap(rule => (isConcerned(rule, gate, context) ? fire(rule, context) : []))
  return gate.routes ? [...fromRules, ...judgeRoutes(gate, gate.routes, context)] : fromRules
}

function isConcerned(rule: Rule, gate: Gate, { event, own }: MatchContext): boolean {
  if (!rule.events.includes(event.kind)) return false
  if (rule.while !== undefined && gate.initial !== undefined && rule.while !== own?.state) return false
  return rule.limit === undefined || (own?.fired?.[rule.id] ?? 0) < rule.limit
}

/** Applies the rule to every action. A certain match wins; otherwise the first unknown match decides with `unsure`. */
function fire(rule: Rule, context: MatchContext): readonly MatchedRule[] {
  let doubtful: Action | undefined
  for (const act of actionsOf(context.event)) {
    const matched = ruleApplies(rule, act, context)
    if (matched === 'true') return [firing(rule, act, context)]
    if (matched === 'unknown') doubtful ??= act
  }
  if (!doubtful || rule.unsure === 'pass' || rule.then === 'allow') return []
  return [{ ...firing(rule, doubtful, context), decision: rule.unsure, unsure: true }]
}

/** `unless` needs certainty: if the exemption is unknown, the rule applies. */
export function ruleApplies(rule: Rule, act: Action, context: MatchContext): Truth {
  const matched = matchPrefiltered(rule.when, act, context, rule.then === 'allow' ? 'all' : 'any')
  if (matched === 'false' || !rule.unless) return matched
  return matchPrefiltered(rule.unless, act, context, 'all') === 'true' ? 'false' : matched
}

const firing = (rule: Rule, act: Action, { regex }: MatchContext): MatchedRule => {
  const named = act.url ? urlParts(rule.when, act.url, regex) : {}
  return { rule, act, named, unsure: false, decision: rule.then }
}

/** Routes need certainty: an unknown match is no match. For each action the first matching route ends the search. */
function judgeRoutes(gate: Gate, { list, index }: RouteTable, context: MatchContext): readonly MatchedRule[] {
  return actionsOf(context.event).flatMap(act => {
    const routes = findRouteCandidates(index, act.url).flatMap(at => list[at] ?? [])
    const route = routes.find(one => isConcerned(one, gate, context) && ruleApplies(one, act, context) === 'true')
    return route && !route.allow ? [firing(route, withUrlOfInput(act, context.event), context)] : []
  })
}

export const CONTEXT_SEPARATOR = '\n\n---\n\n'

const rank = (decision: Decision): number => DECISIONS.indexOf(decision)

export const strictestDecision = (a: Decision, b: Decision): Decision => (rank(a) >= rank(b) ? a : b)

/** Merges verdicts: the strictest decision wins, reasons to deny come first, each text appears once in the given order. */
export function mergeVerdicts(verdicts: readonly Verdict[]): Outcome {
  return {
    decision: verdicts.map(verdict => verdict.decision).reduce(strictestDecision, 'pass'),
    reason: joinReasons([...reasons(verdicts, 'deny'), ...reasons(verdicts, 'ask'), ...lonelyAllow(verdicts)]),
    context: joinDistinct(texts(verdicts, 'context'), CONTEXT_SEPARATOR),
    message: joinDistinct(texts(verdicts, 'message'), '\n'),
    continue: verdicts.every(verdict => verdict.continue !== false),
    suppressOutput: verdicts.some(verdict => verdict.suppressOutput === true),
  }
}

const reasons = (verdicts: readonly Verdict[], decision: Decision): readonly string[] =>
  verdicts.flatMap(verdict => (verdict.decision === decision && verdict.decision !== 'pass' ? [verdict.reason] : []))

/** Most verdicts have one reason, or none. */
function joinReasons(list: readonly string[]): string {
  const nonEmpty = list.filter(text => text !== '')
  if (nonEmpty.length < 2) return nonEmpty[0] ?? ''
  return withoutRepeats([...new Set(nonEmpty)].map(text => ({ text })))
    .map(({ text }) => text)
    .join('\n\n')
}

/** The reason of an `allow` is used only if no verdict denies or asks. */
const lonelyAllow = (verdicts: readonly Verdict[]): readonly string[] =>
  verdicts.some(verdict => verdict.decision === 'deny' || verdict.decision === 'ask') ? [] : reasons(verdicts, 'allow')

const texts = (verdicts: readonly Verdict[], key: 'context' | 'message'): readonly string[] =>
  verdicts.flatMap(verdict => verdict[key] ?? [])

export const NO_OPINION: Outcome = mergeVerdicts([])

/** What to try in place of a decision that the client does not support, nearest first. A call that can be stopped is never let through instead. */
const INSTEAD: Readonly<Record<Decision, readonly Decision[]>> = {
  deny: ['deny'],
  ask: ['ask', 'deny'],
  allow: ['allow', 'pass'],
  pass: ['pass'],
}

const CONSENT_NOTE = 'The user must agree, but cannot be asked here: tell them.'

/** No text is lost: if the client cannot block at this event, the reason of the denial becomes context for the agent. */
export function lowerOutcome(outcome: Outcome, capability: Capability): Outcome {
  const { decision } = outcome
  if (decision === 'pass' || capability.can.includes(decision)) return outcome
  const instead = INSTEAD[decision].find(one => one === 'pass' || capability.can.includes(one))
  if (instead === 'deny') return { ...outcome, decision: 'deny', reason: `${outcome.reason}\n${CONSENT_NOTE}` }
  if (instead === 'pass') return { ...outcome, decision: 'pass', reason: '' }
  return {
    ...outcome,
    decision: 'pass',
    reason: '',
    context: joinDistinct([outcome.reason, outcome.context], CONTEXT_SEPARATOR),
  }
}

const MOST_REFUSALS = 5

export const isStopEvent = (event: Event): boolean => event.kind === 'turn.stop' || event.kind === 'agent.stop'

/** Prevents stop loops: the agent may stop if the client already continues because of a stop hook, or after five denials in a row. */
export function breakStopLoop(outcome: Outcome, event: Event, session: Session): Outcome {
  if (!isStopEvent(event) || outcome.decision === 'pass' || outcome.decision === 'allow') return outcome
  if (!event.stopActive && session.stopsRefused < MOST_REFUSALS) return outcome
  const [first = ''] = outcome.reason.split('\n', 1)
  const message = `signalbox: the agent may stop despite a gate: ${first}`
  return { ...outcome, decision: 'pass', reason: '', message: [outcome.message, message].filter(Boolean).join('\n') }
}

/** What an event does to one gate: a transition with the captured value, or with the reason why the capture is invalid. */
export interface ProposedTransition {
  readonly gate: Gate
  readonly transition: Transition
  readonly captured?: { readonly name: string; readonly value: Json }
  readonly problem?: string
}

/** The first matching transition. `clock`: time-based, applied before judging. `event`: tentative until the event is judged. */
export function findTransition(gate: Gate, context: MatchContext, cause: 'clock' | 'event'): ProposedTransition | null {
  const state = context.own?.state ?? 'open'
  for (const transition of gate.transitions) {
    if (transition.clock !== (cause === 'clock') || !transition.from.includes(state)) continue
    if (transition.to === 'open' && isStaleAnswer(gate, context.event.began, context.own?.closed?.turn)) continue
    if (!happens(transition, context)) continue
    if (cause === 'event' && state === 'closed' && transition.to === 'open' && closesAgain(gate, context)) continue
    return { gate, transition, ...capture(transition, context) }
  }
  return null
}

/** Opening needs certainty under every reading; for closing, an unknown match under any reading is enough. */
function happens({ to, when, clock, events }: Transition, context: MatchContext): boolean {
  if (!clock && !events.includes(context.event.kind)) return false
  return actionsOf(context.event).some(act => {
    const matched = matchPrefiltered(when, act, context, to === 'open' ? 'all' : 'any')
    return matched === 'true' || (matched === 'unknown' && to === 'closed')
  })
}

/** `npm test && echo x > a` opens nothing. The end of a call is also matched as `tool.before`, because most closings use that event. */
export function closesAgain(gate: Gate, context: MatchContext): boolean {
  const { kind } = context.event
  const phases: readonly EventKind[] = kind === 'tool.after' || kind === 'tool.failed' ? [kind, 'tool.before'] : [kind]
  const closing = gate.transitions.filter(({ from, to, clock }) => to === 'closed' && from.includes('open') && !clock)
  return phases.some(phase => {
    const phaseContext: MatchContext = { ...context, event: { ...context.event, kind: phase } }
    return closing.some(transition => happens(transition, phaseContext))
  })
}

function capture({ capture }: Transition, { facts }: MatchContext): Pick<ProposedTransition, 'captured' | 'problem'> {
  if (!capture) return {}
  const { name, schema } = capture
  const value = facts.parsed?.find(one => shapeErrors(one, schema).length === 0)
  return value === undefined
    ? { problem: shapeErrors(facts.parsed?.[0], schema).join('; ') }
    : { captured: { name, value } }
}

/** Joins the texts that are not empty, each once, in the given order. Most lists hold one text or none. */
export function joinDistinct(texts: readonly string[], between: string): string {
  const nonEmpty = texts.filter(text => text !== '')
  return nonEmpty.length > 1 ? [...new Set(nonEmpty)].join(between) : (nonEmpty[0] ?? '')
}

const SENTENCE_END = /(?<=[.!?])[ \t]+/
const SHORTEST = 12
/** A shorter text counts as a sentence only if it cannot be the rest of `e.g. gh`. */
const SHORT_SENTENCE = /^\p{Lu}.*\s.*[.!?]$/u

/** Removes sentences that an earlier text contains, and drops texts with nothing left. */
export function withoutRepeats<T extends { readonly text: string }>(texts: readonly T[]): readonly T[] {
  const printed = new Set<string>()
  return texts.flatMap(one => {
    const { text } = one
    const lines = text.split('\n').map(line => ({ line, sentences: line.split(SENTENCE_END) }))
    const isNew = (one: string) => !printed.has(one) || (one.length < SHORTEST && !SHORT_SENTENCE.test(one))
    const newLines = lines.flatMap(({ line, sentences }) => {
      const left = sentences.filter(isNew)
      return left.length === sentences.length ? [line] : left.length > 0 ? [left.join(' ')] : []
    })
    for (const { sentences } of lines) for (const sentence of sentences) printed.add(sentence)
    return newLines.join('').trim() === '' ? [] : [{ ...one, text: newLines.join('\n') }]
  })
}
