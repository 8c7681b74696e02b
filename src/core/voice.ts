import { fill, gateObstacle, hookObstacle, matchFields, type Refusal, refuse } from '../pattern/index.ts'
import { callerKey, callerLabel } from './caller.ts'
import type { HookReply } from './facts.ts'
import type { Gate, RuleDecision, Text } from './gate.ts'
import type { Firing } from './judge.ts'
import type { Match } from './record.ts'
import type { Scene } from './scene.ts'
import { type Telling, variable } from './variables.ts'
import type { Verdict } from './verdict.ts'
import type { Walk } from './walk.ts'

/** What one firing says aloud, with its gate's mode, a bypass and repetition taken into account. */
export interface Voice extends Partial<Pick<ReturnType<typeof refuse>, 'denials'>> {
  readonly match: Match
  readonly verdict: Verdict
  /** for the agent, once the call has run */
  readonly warning?: string
  /** where it refuses; by a rule, with how that rule's texts are filled in here */
  readonly refusal?: Refused
}

export type Refused = Refusal & Partial<Source>
type Source = Pick<Firing, 'rule'> & { readonly gate: Gate; readonly say: (text: Text) => string }

export function speak(firing: Firing, gate: Gate, walk: Walk, scene: Scene, bypassed: boolean): Voice {
  const { rule, says, unsure } = firing
  const effect = bypassed ? 'none' : effectOf(says, gate)
  const marks = { unsure: unsure || undefined, bypassed: bypassed || undefined }
  const match: Match = { gate: gate.id, rule: rule.id, says, effect, mode: gate.mode, ...marks }
  const say = (text: Text) => sayText(text, { gate, act: firing.act, named: firing.named, rule }, scene)
  if (bypassed) return { match, verdict: { decision: 'pass', message: say(gate.bypass?.message ?? BYPASSED) } }
  if (effect === 'none') return { match, verdict: { decision: 'pass' } }
  const more = { ...firing.more, ...(rule.context && { context: say(rule.context) }) }
  const told = say(rule.warning && (unsure || effect === 'warn') ? rule.warning : rule.message)
  const words = unsure && !rule.warning ? `This call could not be read for certain. ${told}` : told
  const debugs = gate.debug && matchFields(gate.debug.env, name => scene.facts.env[name], scene) === 'true'
  const head = debugs ? `${say(gate.debug.message)}\n\n` : ''
  if (effect === 'warn') return { match, verdict: { decision: 'pass', ...more }, warning: head + words }
  if (effect !== 'deny') return { match, verdict: { decision: effect, reason: head + words, ...more } }
  const obstacle = gateObstacle(gate, rule.id, gate.routes?.list.some(route => route.id === rule.id) ?? false)
  return { match, ...deny({ ...more, reason: words, head }, obstacle, walk, { gate, rule, say }) }
}

const BYPASSED = 'signalbox: the gate "{gate}" is bypassed'

/** A gate on trial neither stops nor lets by. */
function effectOf(says: RuleDecision, { mode }: Gate): RuleDecision | 'none' {
  if (mode === 'block') return says
  return mode === 'observe' || says === 'allow' ? 'none' : 'warn'
}

type Obstacle = Parameters<typeof refuse>[1]
type Told = Omit<Verdict, 'decision'> & { readonly reason: string; readonly head?: string }

function deny({ head = '', ...told }: Told, obstacle: Obstacle, walk: Walk, from?: Source): Omit<Voice, 'match'> {
  const { event, facts, session, capabilities } = walk
  const caller = { key: callerKey(event.caller), label: callerLabel(event.caller) }
  const refusing = { ...told, head, caller, now: facts.now, shortens: capabilities.shortens }
  const { denials, refusal, ...said } = refuse(session.denials, obstacle, refusing)
  return { verdict: { ...told, ...said, decision: 'deny' }, refusal: { ...refusal, ...from }, denials }
}

/** A sub-hook's reply stands beside the gates' verdicts, in its own words; what went wrong is told to the person once. */
export function relay({ from, verdict, problem = '' }: HookReply, walk: Walk): readonly Voice[] {
  const news = problem !== '' && !walk.session.told?.includes(problem) ? `signalbox: ${problem}` : ''
  const message = [verdict.message, news].filter(Boolean).join('\n')
  const said: Verdict = { ...verdict, ...(message && { message }) }
  if (said.decision === 'pass' && Object.keys(said).length === 1) return []
  const says = said.decision === 'pass' ? 'warn' : said.decision
  const match: Match = { gate: from, rule: problem === '' ? 'reply' : 'problem', says, effect: says, mode: 'block' }
  if (said.decision !== 'deny') return [{ match, verdict: said }]
  return [{ match, ...deny(said, hookObstacle(from, walk.event.kind), walk) }]
}

export const sayText = (text: Text, told: Telling, scene: Scene): string => {
  const wording = typeof text === 'string' ? text : (text[scene.event.client] ?? text.default)
  return fill(wording, name => variable(name, told, scene))
}
