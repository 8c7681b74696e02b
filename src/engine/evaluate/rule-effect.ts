import { counterText } from '../match/counter.ts'
import { fillTemplate, matchFields } from '../match/text.ts'
import type { Action, SubHookReply } from '../model/event.ts'
import { callerKey, callerLabel } from '../model/event.ts'
import type { ClientText, Gate, Mode, Route, RuleDecision } from '../model/gate.ts'
import type { Suggestion, Verdict } from '../model/verdict.ts'
import { isOperation, type MatchContext } from './condition.ts'
import type { Evaluation } from './evaluation.ts'
import type { MatchedRule } from './judge.ts'
import { gateDenialSource, hookDenialSource, type Source, type SourcedRefusal, throttleDenial } from './throttle.ts'

/** One rule, route or sub-hook that matched, and its effect. */
export interface RecordedMatch {
  /** for a sub-hook: `hook:layer/n` */
  readonly gate: string
  readonly rule: string
  readonly decision: RuleDecision
  /** `none`: the gate only observes, or is bypassed */
  readonly effect: RuleDecision | 'none'
  readonly mode: Mode
  readonly unsure?: boolean | undefined
  readonly bypassed?: boolean | undefined
}

/** The effect of one matched rule after its gate's mode, a bypass and the throttle. */
export interface RuleEffect extends Partial<Pick<ReturnType<typeof throttleDenial>, 'denials'>> {
  readonly match: RecordedMatch
  readonly verdict: Verdict
  /** text for the agent, delivered once the call has run */
  readonly warning?: string
  /** if the rule is unsure and only warns: its message would speak of a call that nobody could read */
  readonly unjudged?: { readonly gate: string; readonly via: string }
  /** set if the call is denied; for a rule, also its source and how to render its texts */
  readonly refusal?: SourcedRefusal
}

export function applyRule(
  firing: MatchedRule,
  gate: Gate,
  evaluation: Evaluation,
  context: MatchContext,
  bypassed: boolean,
): RuleEffect {
  const { rule, decision, unsure } = firing
  const effect = bypassed ? 'none' : effectOf(decision, gate)
  const marks = { unsure: unsure || undefined, bypassed: bypassed || undefined }
  const match: RecordedMatch = { gate: gate.id, rule: rule.id, decision, effect, mode: gate.mode, ...marks }
  // a text about a call that runs is read when the call has been counted
  const own = effect !== 'deny' && isOperation(gate, evaluation.event, () => context) ? context.own : undefined
  const reading = own ? { ...context, own: { ...own, operations: own.operations + 1 } } : context
  const render = (text: ClientText) => renderText(text, { gate, act: firing.act, named: firing.named, rule }, reading)
  if (bypassed) return { match, verdict: { decision: 'pass', message: render(gate.bypass?.message ?? BYPASSED) } }
  if (effect === 'none') return { match, verdict: { decision: 'pass' } }
  const more = { ...firing.more, ...(rule.context && { context: render(rule.context) }) }
  const message = render(rule.warning && (unsure || effect === 'warn') ? rule.warning : rule.message)
  const words = unsure && !rule.warning ? `This call could not be fully read. ${message}` : message
  const debugs = gate.debug && matchFields(gate.debug.env, name => context.facts.env[name], context) === 'true'
  const head = debugs ? `${render(gate.debug.message)}\n\n` : ''
  if (unsure && decision === 'warn' && !rule.warning)
    return { match, verdict: { decision: 'pass', ...more }, unjudged: { gate: gate.name, via: firing.act.via ?? '' } }
  if (effect === 'warn') return { match, verdict: { decision: 'pass', ...more }, warning: head + words }
  if (effect !== 'deny') return { match, verdict: { decision: effect, reason: head + words, ...more } }
  const obstacle = gateDenialSource(gate, rule.id, gate.routes?.list.some(route => route.id === rule.id) ?? false)
  return { match, ...deny({ ...more, reason: words, head }, obstacle, evaluation, { gate, rule, render: render }) }
}

const BYPASSED = 'signalbox: the gate "{gate}" is bypassed'

/** A gate in mode `warn` or `observe` neither denies nor allows. */
function effectOf(decision: RuleDecision, { mode }: Gate): RuleDecision | 'none' {
  if (mode === 'block') return decision
  return mode === 'observe' || decision === 'allow' ? 'none' : 'warn'
}

type Obstacle = Parameters<typeof throttleDenial>[1]
type DenialTexts = Omit<Verdict, 'decision'> & { readonly reason: string; readonly head?: string }

function deny(
  { head = '', ...texts }: DenialTexts,
  obstacle: Obstacle,
  evaluation: Evaluation,
  from?: Source,
): Omit<RuleEffect, 'match'> {
  const { event, facts, session, capabilities } = evaluation
  const caller = { key: callerKey(event.caller), label: callerLabel(event.caller) }
  const refusing = { ...texts, head, caller, now: facts.now, shortens: capabilities.shortens }
  const { denials, refusal, ...throttled } = throttleDenial(session.denials, obstacle, refusing)
  return { verdict: { ...texts, ...throttled, decision: 'deny' }, refusal: { ...refusal, ...from }, denials }
}

/** A sub-hook's reply counts beside the gates' verdicts, in its own words. The person is notified of each problem once. */
export function applySubHookReply(
  { from, verdict, problem = '' }: SubHookReply,
  evaluation: Evaluation,
): readonly RuleEffect[] {
  const news = problem !== '' && !evaluation.session.notified?.includes(problem) ? `signalbox: ${problem}` : ''
  const message = [verdict.message, news].filter(Boolean).join('\n')
  const withMessage: Verdict = { ...verdict, ...(message && { message }) }
  if (withMessage.decision === 'pass' && Object.keys(withMessage).length === 1) return []
  const decision = withMessage.decision === 'pass' ? 'warn' : withMessage.decision
  const match: RecordedMatch = {
    gate: from,
    rule: problem === '' ? 'reply' : 'problem',
    decision,
    effect: decision,
    mode: 'block',
  }
  if (withMessage.decision !== 'deny') return [{ match, verdict: withMessage }]
  return [{ match, ...deny(withMessage, hookDenialSource(from, evaluation.event.kind), evaluation) }]
}

export const renderText = (text: ClientText, textContext: TextContext, context: MatchContext): string => {
  const wording = typeof text === 'string' ? text : (text[context.event.client] ?? text.default)
  return fillTemplate(wording, name => textVariable(name, textContext, context))
}

/** What a text is about: the rule or route that matched, the action, and the named parts of its URL. */
interface TextContext {
  readonly gate: Gate
  readonly act?: Action
  readonly named?: Readonly<Record<string, string>>
  readonly rule?: Route
}

/** The value of a `{variable}` in a text: a known name, otherwise a counter, otherwise a capture. */
function textVariable(name: string, textContext: TextContext, context: MatchContext): string {
  const { gate, act, named, rule } = textContext
  const { event, own, turn, facts, captured } = context
  const inner = (text: string) =>
    fillTemplate(text, one => (one === 'suggest' ? '' : textVariable(one, textContext, context)))
  const values: Readonly<Record<string, string | number | null | undefined>> = {
    tool: event.call?.tool,
    path: pathOf(act, facts.root),
    command: act?.via,
    url: act?.url,
    caller: callerLabel(event.caller),
    agent: act?.agent ?? event.agent,
    gate: gate.name,
    rule: rule?.id,
    pattern: rule?.pattern,
    suggest: name === 'suggest' && rule?.suggest ? inner(suggestionText(rule.suggest, event.client)) : '',
    problem: own?.problem,
    ...named,
  }
  if (Object.hasOwn(values, name)) return String(values[name] ?? '')
  const counter = counterText(name, own, { turn, now: facts.now })
  return counter ?? captured(`${gate.id}.${name}`) ?? captured(name) ?? captured(`${gate.layer}/${name}`) ?? ''
}

/** Relative to the project, to keep texts short. */
const pathOf = (act: Action | undefined, root: string): string => {
  const path = act?.place?.lexical
  if (act?.opaque || path === null) return '(unreadable)'
  return (path ?? '').replace(`${root}/`, '')
}

/** The call that a suggestion stands for, as a text. */
export const suggestionText = (suggest: Suggestion, client: string): string => {
  if (typeof suggest === 'string') return suggest
  if ('line' in suggest) return suggest.silent.includes(client) ? `signalbox run -- ${suggest.line}` : suggest.line
  if ('agent' in suggest) return [suggest.agent].flat().join(' or ')
  return [suggest.names?.[client] ?? suggest.tool, suggest.path].filter(Boolean).join(' ')
}
