import type { Decision, Event } from '../../engine/index.ts'
import { isObject, type JsonObject } from '../../lib/json.ts'
import { booleanField, objectField, stringField } from '../adapter/decode.ts'
import {
  createVerdict,
  describeBadExit,
  type HookOutputResult,
  type HookRun,
  parseHookStdout,
} from '../adapter/hook-output.ts'
import { capabilities } from './capabilities.ts'

/**
 * Parses a reply by the client's own rules (0.166.0). A reply that the client drops is a failure here, so that it is reported: an
 * unknown key, a key that the event does not accept, or a decision that the event does not support.
 */
export const readOutput = (ran: HookRun, event: Event): HookOutputResult => {
  const reason = ran.stderr.trim()
  if (ran.exitCode === 2 && reason !== '') return { verdict: parseExitTwo(reason, event) }
  if (ran.exitCode !== 0) return { failed: describeBadExit(ran) }
  const output = parseHookStdout(ran)
  if (output === 'nothing') return { verdict: { decision: 'pass' } }
  if (isObject(output)) return parseReply(output, event)
  if (output === 'text' && PLAIN_TEXT_EVENTS.has(event.name))
    return { verdict: { decision: 'pass', context: ran.stdout.trim() } }
  const strict = output === 'garbage' || event.kind === 'turn.stop' || event.kind === 'agent.stop'
  return strict ? { failed: 'gave a reply that is not JSON' } : { verdict: { decision: 'pass' } }
}

/** Events whose hooks may print plain text as context for the agent. */
const PLAIN_TEXT_EVENTS: ReadonlySet<string> = new Set(['SessionStart', 'SubagentStart', 'UserPromptSubmit'])

const parseExitTwo = (reason: string, { kind }: Event) =>
  capabilities.events[kind]?.can.includes('deny')
    ? createVerdict('deny', reason, {})
    : createVerdict('pass', '', { message: reason })

const TOP_KEYS = [
  'continue',
  'stopReason',
  'suppressOutput',
  'systemMessage',
  'decision',
  'reason',
  'hookSpecificOutput',
]
const INNER_KEYS = [
  ...['hookEventName', 'permissionDecision', 'permissionDecisionReason', 'additionalContext', 'updatedInput'],
  'decision',
]

const parseReply = (output: JsonObject, event: Event): HookOutputResult => {
  const inner = objectField(output, 'hookSpecificOutput')
  const unknown = [...unknownKeysIn(output, TOP_KEYS), ...unknownKeysIn(inner, INNER_KEYS)]
  if (unknown.length > 0)
    return { failed: `gave \`${unknown[0]}\`, and the client ignores a reply with an unknown key` }
  if (output.hookSpecificOutput !== undefined && inner.hookEventName !== event.name)
    return { failed: `gave a \`hookSpecificOutput\` without \`hookEventName: ${event.name}\`: the client ignores it` }
  const decision =
    event.kind === 'permission.request' ? parsePermissionDecision(inner) : parseDecision(output, inner, event)
  if (typeof decision === 'object') return decision
  const reason = stringField(inner, 'permissionDecisionReason') ?? stringField(output, 'reason')
  const ends = booleanField(output, 'continue') === false
  const more = {
    context: stringField(inner, 'additionalContext') ?? '',
    message: [stringField(output, 'systemMessage'), ends ? stringField(output, 'stopReason') : '']
      .filter(Boolean)
      .join('\n'),
    continue: !ends,
    suppressOutput: booleanField(output, 'suppressOutput') ?? false,
  }
  const input = event.kind === 'tool.before' && isObject(inner.updatedInput) ? inner.updatedInput : undefined
  const why = reason ?? stringField(objectField(inner, 'decision'), 'message') ?? ''
  return { verdict: createVerdict(decision, why, more), ...(input && { input }) }
}

const unknownKeysIn = (output: JsonObject, known: readonly string[]): readonly string[] =>
  Object.keys(output).filter(key => !known.includes(key))

/** `allow` is valid only with a rewritten input and approves nothing, so it counts as `pass`. */
const parseDecision = (
  output: JsonObject,
  inner: JsonObject,
  { kind }: Event,
): Decision | { readonly failed: string } => {
  const word = inner.permissionDecision ?? output.decision
  if (word === undefined) return 'pass'
  const before = kind === 'tool.before'
  if (before && word === 'allow' && isObject(inner.updatedInput)) return 'pass'
  if (word !== (inner.permissionDecision === undefined ? 'block' : 'deny'))
    return { failed: `gave ${JSON.stringify(word)?.slice(0, 60)} as its decision, which the client does not accept` }
  const reason = stringField(inner, 'permissionDecisionReason') ?? stringField(output, 'reason')
  return reason === undefined ? { failed: 'denied without a reason: the client ignores that' } : 'deny'
}

const parsePermissionDecision = (inner: JsonObject): Decision | { readonly failed: string } => {
  if (inner.decision === undefined) return 'pass'
  const { behavior } = objectField(inner, 'decision')
  if (behavior === 'allow' || behavior === 'deny') return behavior
  return { failed: `gave \`behavior\` as ${JSON.stringify(behavior)?.slice(0, 60)}, which the client does not know` }
}
