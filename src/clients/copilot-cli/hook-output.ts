import type { Decision, Event } from '../../engine/index.ts'
import { isObject, type JsonObject } from '../../lib/json.ts'
import { objectField, stringField } from '../adapter/decode.ts'
import {
  createVerdict,
  describeBadExit,
  type HookOutputResult,
  type HookRun,
  parseHookStdout,
  unknownKeysOf,
} from '../adapter/hook-output.ts'
import { capabilities } from './capabilities.ts'

/**
 * Parses a reply by the client's own rules (1.0.102): the decision is at the top level, and for `PreToolUse` also in
 * `hookSpecificOutput`. Before a call any exit code but 0 denies. A reply that the client would silently ignore is a failure.
 */
export const readOutput = (ran: HookRun, event: Event): HookOutputResult => {
  const output = parseHookStdout(ran)
  if (ran.exitCode === 2) return { verdict: parseExitTwo(ran, isObject(output) ? output : {}, event) }
  if (ran.exitCode !== 0)
    return event.kind === 'tool.before'
      ? { verdict: createVerdict('deny', describeBadExit(ran), {}) }
      : { failed: describeBadExit(ran) }
  if (output === 'nothing') return { verdict: { decision: 'pass' } }
  return isObject(output) ? parseReply(output, event) : { failed: 'gave a reply that is not JSON' }
}

const parseExitTwo = (ran: HookRun, output: JsonObject, { kind }: Event) => {
  const reason = reasonOf(output) || ran.stderr.trim()
  const can = capabilities.events[kind]?.can.includes('deny')
  return can ? createVerdict('deny', reason, {}) : createVerdict('pass', '', { context: reason })
}

const reasonOf = (output: JsonObject): string =>
  stringField(output, 'permissionDecisionReason') ??
  stringField(output, 'reason') ??
  stringField(output, 'message') ??
  ''

const KNOWN_KEYS: ReadonlySet<string> = new Set([
  ...['permissionDecision', 'permissionDecisionReason', 'modifiedArgs', 'updatedInput', 'additionalContext'],
  ...['behavior', 'message', 'decision', 'reason', 'hookSpecificOutput', 'hookEventName'],
])

const parseReply = (output: JsonObject, event: Event): HookOutputResult => {
  const inner = objectField(output, 'hookSpecificOutput')
  // `preToolUse` does not read `hookSpecificOutput`
  const nested = event.kind === 'tool.before' && /^[A-Z]/.test(event.name)
  if (output.hookSpecificOutput !== undefined && !nested)
    return {
      failed: `gave a \`hookSpecificOutput\`, which ${event.name} does not read: the decision must be at the top level`,
    }
  const merged = { ...inner, ...output }
  const decision = parseDecision(merged, event)
  if (typeof decision === 'object') return decision
  const input = merged.modifiedArgs ?? merged.updatedInput
  const lost = [output, inner].flatMap(part => unknownKeysOf(part, KNOWN_KEYS))
  return {
    verdict: createVerdict(decision, reasonOf(merged), { context: stringField(merged, 'additionalContext') ?? '' }),
    ...(event.kind === 'tool.before' && isObject(input) && { input }),
    ...(lost.length > 0 && { lost }),
  }
}

/** The key that each event reads, and the meaning of its values. */
const DECISION_WORDS: Readonly<
  Partial<Record<Event['kind'], readonly [key: string, words: Readonly<Record<string, Decision>>]>>
> = {
  'tool.before': ['permissionDecision', { allow: 'allow', ask: 'ask', deny: 'deny' }],
  'permission.request': ['behavior', { allow: 'allow', deny: 'deny' }],
}
const DEFAULT_DECISION_WORDS = ['decision', { allow: 'pass', block: 'deny' }] as const

const parseDecision = (output: JsonObject, { kind }: Event): Decision | { readonly failed: string } => {
  const [key, words] = DECISION_WORDS[kind] ?? DEFAULT_DECISION_WORDS
  const value = output[key]
  const known: Readonly<Record<string, Decision>> = words
  if (value === undefined) {
    const other = ['permissionDecision', 'behavior', 'decision'].find(text => output[text] !== undefined)
    return other === undefined ? 'pass' : { failed: `gave \`${other}\`, which is not read here: use \`${key}\`` }
  }
  const decision = typeof value === 'string' && Object.hasOwn(known, value) ? known[value] : undefined
  return (
    decision ?? { failed: `gave \`${key}\` as ${JSON.stringify(value)?.slice(0, 60)}, which the client does not know` }
  )
}
