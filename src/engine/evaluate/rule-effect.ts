import { fillTemplate } from '../../lib/template.ts'
import { matchFields } from '../match/text.ts'
import { callerKey, callerLabel } from '../model/caller.ts'
import type { SubHookReply } from '../model/facts.ts'
import type { ClientText, Gate, RuleDecision } from '../model/gate.ts'
import type { Verdict } from '../model/verdict.ts'
import type { Evaluation } from './evaluation.ts'
import type { RecordedMatch } from './event-record.ts'
import type { MatchedRule } from './judge.ts'
import type { MatchContext } from './match-context.ts'
import { type TextContext, textVariable } from './texts/text-variables.ts'
import { gateDenialSource, hookDenialSource, throttleDenial } from './throttle/denial-throttle.ts'
import type { Refusal } from './throttle/refusal-steps.ts'

/** The effect of one matched rule after its gate's mode, a bypass and the throttle. */
export interface RuleEffect extends Partial<Pick<ReturnType<typeof throttleDenial>, 'denials'>> {
  readonly match: RecordedMatch
  readonly verdict: Verdict
  /** text for the agent, delivered once the call has run */
  readonly warning?: string
  /** set if the call is denied; for a rule, also its source and how to render its texts */
  readonly refusal?: SourcedRefusal
}

export type SourcedRefusal = Refusal & Partial<Source>
type Source = Pick<MatchedRule, 'rule'> & { readonly gate: Gate; readonly say: (text: ClientText) => string }

export function applyRule(
  firing: MatchedRule,
  gate: Gate,
  walk: Evaluation,
  scene: MatchContext,
  bypassed: boolean,
): RuleEffect {
  const { rule, says, unsure } = firing
  const effect = bypassed ? 'none' : effectOf(says, gate)
  const marks = { unsure: unsure || undefined, bypassed: bypassed || undefined }
  const match: RecordedMatch = { gate: gate.id, rule: rule.id, says, effect, mode: gate.mode, ...marks }
  const say = (text: ClientText) => renderText(text, { gate, act: firing.act, named: firing.named, rule }, scene)
  if (bypassed) return { match, verdict: { decision: 'pass', message: say(gate.bypass?.message ?? BYPASSED) } }
  if (effect === 'none') return { match, verdict: { decision: 'pass' } }
  const more = { ...firing.more, ...(rule.context && { context: say(rule.context) }) }
  const told = say(rule.warning && (unsure || effect === 'warn') ? rule.warning : rule.message)
  const words = unsure && !rule.warning ? `This call could not be read for certain. ${told}` : told
  const debugs = gate.debug && matchFields(gate.debug.env, name => scene.facts.env[name], scene) === 'true'
  const head = debugs ? `${say(gate.debug.message)}\n\n` : ''
  if (effect === 'warn') return { match, verdict: { decision: 'pass', ...more }, warning: head + words }
  if (effect !== 'deny') return { match, verdict: { decision: effect, reason: head + words, ...more } }
  const obstacle = gateDenialSource(gate, rule.id, gate.routes?.list.some(route => route.id === rule.id) ?? false)
  return { match, ...deny({ ...more, reason: words, head }, obstacle, walk, { gate, rule, say }) }
}

const BYPASSED = 'signalbox: the gate "{gate}" is bypassed'

/** A gate in mode `warn` or `observe` neither denies nor allows. */
function effectOf(says: RuleDecision, { mode }: Gate): RuleDecision | 'none' {
  if (mode === 'block') return says
  return mode === 'observe' || says === 'allow' ? 'none' : 'warn'
}

type Obstacle = Parameters<typeof throttleDenial>[1]
type Told = Omit<Verdict, 'decision'> & { readonly reason: string; readonly head?: string }

function deny(
  { head = '', ...told }: Told,
  obstacle: Obstacle,
  walk: Evaluation,
  from?: Source,
): Omit<RuleEffect, 'match'> {
  const { event, facts, session, capabilities } = walk
  const caller = { key: callerKey(event.caller), label: callerLabel(event.caller) }
  const refusing = { ...told, head, caller, now: facts.now, shortens: capabilities.shortens }
  const { denials, refusal, ...said } = throttleDenial(session.denials, obstacle, refusing)
  return { verdict: { ...told, ...said, decision: 'deny' }, refusal: { ...refusal, ...from }, denials }
}

/** A sub-hook's reply counts beside the gates' verdicts, in its own words. The person is notified of each problem once. */
export function applySubHookReply(
  { from, verdict, problem = '' }: SubHookReply,
  walk: Evaluation,
): readonly RuleEffect[] {
  const news = problem !== '' && !walk.session.told?.includes(problem) ? `signalbox: ${problem}` : ''
  const message = [verdict.message, news].filter(Boolean).join('\n')
  const said: Verdict = { ...verdict, ...(message && { message }) }
  if (said.decision === 'pass' && Object.keys(said).length === 1) return []
  const says = said.decision === 'pass' ? 'warn' : said.decision
  const match: RecordedMatch = {
    gate: from,
    rule: problem === '' ? 'reply' : 'problem',
    says,
    effect: says,
    mode: 'block',
  }
  if (said.decision !== 'deny') return [{ match, verdict: said }]
  return [{ match, ...deny(said, hookDenialSource(from, walk.event.kind), walk) }]
}

export const renderText = (text: ClientText, told: TextContext, scene: MatchContext): string => {
  const wording = typeof text === 'string' ? text : (text[scene.event.client] ?? text.default)
  return fillTemplate(wording, name => textVariable(name, told, scene))
}
