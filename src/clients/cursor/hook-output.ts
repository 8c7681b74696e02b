import type { Decision, Event } from '../../engine/index.ts'
import { isObject, type JsonObject } from '../../lib/json.ts'
import { booleanField, stringField } from '../adapter/decode.ts'
import {
  createVerdict,
  describeBadExit,
  type HookOutputResult,
  type HookRun,
  parseHookStdout,
  unknownKeysOf,
} from '../adapter/hook-output.ts'

const KNOWN_KEYS: ReadonlySet<string> = new Set(
  'permission user_message agent_message updated_input additional_context continue followup_message'.split(' '),
)

/** Parses a reply by the documented rules. A reply that Cursor would ignore, or block "for safety", is a failure. */
export const readOutput = (ran: HookRun, { kind }: Event): HookOutputResult => {
  const output = parseHookStdout(ran)
  const words = isObject(output) ? output : {}
  if (ran.exitCode === 2)
    return { verdict: createVerdict('deny', reasonIn(words) || ran.stderr.trim(), replyTextsOf(words)) }
  if (ran.exitCode !== 0) return { failed: describeBadExit(ran) }
  if (output === 'garbage' || output === 'text') return { failed: 'gave a reply that is not JSON' }
  const decision = parseDecision(words, kind)
  if (decision === undefined)
    return {
      failed: `gave \`permission\` as ${JSON.stringify(words.permission)?.slice(0, 60)}, which the client does not know`,
    }
  const input = kind === 'tool.before' && isObject(words.updated_input) ? words.updated_input : undefined
  const lost = unknownKeysOf(words, KNOWN_KEYS).concat(
    words.updated_input !== undefined && !input ? ['updated_input'] : [],
  )
  return {
    verdict: createVerdict(decision, reasonIn(words), replyTextsOf(words, decision)),
    ...(input && { input }),
    ...(lost.length > 0 && { lost }),
  }
}

const reasonIn = (words: JsonObject): string =>
  stringField(words, 'agent_message') ??
  stringField(words, 'followup_message') ??
  stringField(words, 'user_message') ??
  ''

const replyTextsOf = (words: JsonObject, decision: Decision = 'deny') => ({
  context: stringField(words, 'additional_context') ?? '',
  message: decision === 'pass' ? (stringField(words, 'user_message') ?? '') : '',
})

const parseDecision = (words: JsonObject, kind: Event['kind']): Decision | undefined => {
  if (kind === 'turn.stop' || kind === 'agent.stop')
    return stringField(words, 'followup_message') === undefined ? 'pass' : 'deny'
  if (booleanField(words, 'continue') === false) return 'deny'
  const { permission } = words
  if (permission === undefined) return 'pass'
  return permission === 'allow' || permission === 'deny' || permission === 'ask' ? permission : undefined
}
