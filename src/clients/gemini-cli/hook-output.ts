import type { Decision, Event } from '../../engine/index.ts'
import { isObject, type JsonObject } from '../../lib/json.ts'
import { booleanField, objectField, stringField } from '../adapter/decode.ts'
import {
  createVerdict,
  describeBadExit,
  type HookOutputResult,
  type HookRun,
  parseHookStdout,
  unknownKeysOf,
} from '../adapter/hook-output.ts'

/**
 * Parses a reply by the client's own rules (0.61.0), where JSON counts for any exit code. Two differences: exit 2 denies,
 * and a reply that the client would silently ignore is a failure.
 */
export const readOutput = (ran: HookRun, event: Event): HookOutputResult => {
  const output = parseHookStdout(ran)
  // exit 2 denies, even if the JSON says otherwise
  if (ran.exitCode === 2) {
    const own = isObject(output) ? stringField(output, 'reason') : ran.stdout.trim()
    const reason = own || ran.stderr.trim()
    const parsed = isObject(output) ? parseReply({ ...output, decision: 'deny', reason }, event) : undefined
    return { verdict: parsed && 'verdict' in parsed ? parsed.verdict : createVerdict('deny', reason, {}) }
  }
  if (isObject(output)) {
    const parsed = parseReply(output, event)
    return ran.exitCode !== 0 && output.decision === undefined ? { failed: describeBadExit(ran) } : parsed
  }
  if (output === 'garbage') return { failed: 'gave a reply that is not JSON' }
  if (ran.exitCode === 0) return { verdict: createVerdict('pass', '', { message: ran.stdout.trim() }) }
  return { failed: describeBadExit(ran) }
}

const DECISION_WORDS: Readonly<Record<string, Decision>> = {
  allow: 'allow',
  approve: 'allow',
  deny: 'deny',
  block: 'deny',
  ask: 'ask',
}

const KNOWN_KEYS: ReadonlySet<string> = new Set([
  ...['continue', 'stopReason', 'suppressOutput', 'systemMessage', 'decision', 'reason', 'hookSpecificOutput'],
  ...['hookEventName', 'additionalContext'],
])

/** Only BeforeTool reads `tool_input`; elsewhere it is dropped like the unsupported keys. */
const parseReply = (output: JsonObject, { kind }: Event): HookOutputResult => {
  const word = output.decision
  const decision =
    word === undefined
      ? 'pass'
      : typeof word === 'string' && Object.hasOwn(DECISION_WORDS, word)
        ? DECISION_WORDS[word]
        : undefined
  if (!decision)
    return { failed: `gave \`decision\` as ${JSON.stringify(word)?.slice(0, 60)}, which the client does not know` }
  const inner = objectField(output, 'hookSpecificOutput')
  if (inner.permissionDecision !== undefined && word === undefined)
    return { failed: 'gave a `permissionDecision`, which this client does not read: use `decision`' }
  const stops = booleanField(output, 'continue') === false
  const message = [stringField(output, 'systemMessage'), stops ? stringField(output, 'stopReason') : '']
    .filter(Boolean)
    .join('\n')
  const input = kind === 'tool.before' && isObject(inner.tool_input) ? inner.tool_input : undefined
  const lost = [output, inner]
    .flatMap(part => unknownKeysOf(part, KNOWN_KEYS))
    .filter(key => key !== 'tool_input' || !input)
  return {
    verdict: createVerdict(decision, stringField(output, 'reason') ?? '', {
      context: stringField(inner, 'additionalContext') ?? '',
      message,
      continue: !stops,
      suppressOutput: booleanField(output, 'suppressOutput') ?? false,
    }),
    ...(input && { input }),
    ...(lost.length > 0 && { lost }),
  }
}
