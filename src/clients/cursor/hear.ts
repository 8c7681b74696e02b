import type { Decision, Event } from '../../core/index.ts'
import { isObject, type JsonObject } from '../../pattern/index.ts'
import { badExit, type Heard, type Ran, readOutput, unheard, verdictOf } from '../hearing.ts'
import { flag, text } from '../wire.ts'

const HEARD: ReadonlySet<string> = new Set(
  'permission user_message agent_message updated_input additional_context continue followup_message'.split(' '),
)

/** A hook's reply by the client's documented rules; what it would ignore, or block "for safety", is a failure. */
export const hear = (ran: Ran, { kind }: Event): Heard => {
  const output = readOutput(ran)
  const words = isObject(output) ? output : {}
  if (ran.exitCode === 2) return { verdict: verdictOf('deny', reasonIn(words) || ran.stderr.trim(), told(words)) }
  if (ran.exitCode !== 0) return { failed: badExit(ran) }
  if (output === 'garbage' || output === 'text') return { failed: 'gave a reply that is not JSON' }
  const decision = decisionOf(words, kind)
  if (decision === undefined)
    return {
      failed: `gave \`permission\` as ${JSON.stringify(words.permission)?.slice(0, 60)}, which the client does not know`,
    }
  const input = kind === 'tool.before' && isObject(words.updated_input) ? words.updated_input : undefined
  const lost = unheard(words, HEARD).concat(words.updated_input !== undefined && !input ? ['updated_input'] : [])
  return {
    verdict: verdictOf(decision, reasonIn(words), told(words, decision)),
    ...(input && { input }),
    ...(lost.length > 0 && { lost }),
  }
}

const reasonIn = (words: JsonObject): string =>
  text(words, 'agent_message') ?? text(words, 'followup_message') ?? text(words, 'user_message') ?? ''

const told = (words: JsonObject, decision: Decision = 'deny') => ({
  context: text(words, 'additional_context') ?? '',
  message: decision === 'pass' ? (text(words, 'user_message') ?? '') : '',
})

const decisionOf = (words: JsonObject, kind: Event['kind']): Decision | undefined => {
  if (kind === 'turn.stop' || kind === 'agent.stop')
    return text(words, 'followup_message') === undefined ? 'pass' : 'deny'
  if (flag(words, 'continue') === false) return 'deny'
  const { permission } = words
  if (permission === undefined) return 'pass'
  return permission === 'allow' || permission === 'deny' || permission === 'ask' ? permission : undefined
}
