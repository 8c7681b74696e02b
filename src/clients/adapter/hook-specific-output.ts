import type { Capabilities, Decision, Event } from '../../engine/index.ts'
import { isObject, type JsonObject } from '../../lib/json.ts'
import { booleanField, objectField, stringField } from './decode.ts'
import {
  createVerdict,
  describeBadExit,
  type HookOutputResult,
  type HookRun,
  parseHookStdout,
  unknownKeysOf,
} from './hook-output.ts'

/** How a client parses replies with `hookSpecificOutput`. */
export interface HookOutputFormat {
  readonly capabilities: Capabilities
  /** events whose hooks may print plain text as context for the agent; elsewhere plain text is ignored */
  readonly plain: ReadonlySet<string>
  /** values of a top-level `decision`; `allow` counts only before a call */
  readonly old: Readonly<Record<string, Decision>>
  readonly decisions: Readonly<Record<string, Decision>>
  /** the client ignores a reply whose `hookSpecificOutput` lacks the event's name */
  readonly needsName: boolean
}

/**
 * Parses a reply by the client's own rules, with two differences: exit 2 denies a permission request too (the client
 * ignores it there), and a reply that the client would silently ignore is a failure, so that it is reported.
 */
export const createHookOutputParser =
  (client: HookOutputFormat) =>
  (ran: HookRun, event: Event): HookOutputResult => {
    const output = parseHookStdout(ran)
    if (ran.exitCode === 2) return parseExitTwo(ran, isObject(output) ? output : {}, event, client)
    if (isObject(output)) {
      const parsed = parseReply(output, event, client)
      const undecided = 'verdict' in parsed && parsed.verdict.decision === 'pass' && parsed.verdict.continue !== false
      return ran.exitCode !== 0 && undecided ? { failed: describeBadExit(ran) } : parsed
    }
    if (ran.exitCode !== 0) return { failed: describeBadExit(ran) }
    if (output === 'garbage') return { failed: 'gave a reply that is not JSON' }
    if (output === 'nothing') return PASS_RESULT
    if (client.plain.has(event.name)) return { verdict: { decision: 'pass', context: ran.stdout.trim() } }
    return /^\s*\{/m.test(ran.stdout) ? { failed: 'printed other text before its JSON' } : PASS_RESULT
  }

const PASS_RESULT: HookOutputResult = { verdict: { decision: 'pass' } }

/** Exit 2 denies even if the JSON says otherwise or is invalid. On events that cannot be denied, stderr goes to the user. */
const parseExitTwo = (
  ran: HookRun,
  output: JsonObject,
  event: Event,
  { capabilities, old }: HookOutputFormat,
): HookOutputResult => {
  const reason = ran.stderr.trim()
  const texts = {
    ...replyTextsOf(output),
    continue: booleanField(output, 'continue') ?? true,
    suppressOutput: booleanField(output, 'suppressOutput') ?? false,
  }
  if (!capabilities.events[event.kind]?.can.includes('deny'))
    return { verdict: createVerdict('pass', '', { ...texts, message: joinLines(texts.message, reason) }) }
  const inner = objectField(output, 'hookSpecificOutput')
  const blocks = stringField(inner, 'permissionDecision') === 'deny' || decisionByWord(old, output.decision) === 'deny'
  const own = blocks ? (stringField(inner, 'permissionDecisionReason') ?? stringField(output, 'reason')) : undefined
  return {
    verdict: createVerdict('deny', own ?? stringField(objectField(inner, 'decision'), 'message') ?? reason, texts),
  }
}

const parseReply = (output: JsonObject, event: Event, client: HookOutputFormat): HookOutputResult => {
  const inner = client.needsName ? output.hookSpecificOutput : undefined
  if (inner !== undefined && stringField(objectField(output, 'hookSpecificOutput'), 'hookEventName') !== event.name)
    return {
      failed: `gave a \`hookSpecificOutput\` without \`hookEventName: ${event.name}\`: the client ignores such a reply`,
    }
  const decided = parseDecision(output, objectField(output, 'hookSpecificOutput'), event, client)
  if ('failed' in decided) return decided
  const { decision, reason, input, interrupt } = decided
  const goesOn = booleanField(output, 'continue') !== false && interrupt !== true
  const more = {
    ...replyTextsOf(output),
    continue: goesOn,
    suppressOutput: booleanField(output, 'suppressOutput') ?? false,
  }
  const lost = ignoredKeysIn(output, event, client)
  return {
    verdict: createVerdict(decision, reason ?? '', more),
    ...(input && { input }),
    ...(lost.length > 0 && { lost }),
  }
}

interface ParsedDecision {
  readonly decision: Decision
  readonly reason?: string | undefined
  readonly input?: JsonObject | undefined
  readonly interrupt?: boolean | undefined
}

const decisionByWord = (words: Readonly<Record<string, Decision>>, word: unknown): Decision | undefined =>
  typeof word === 'string' && Object.hasOwn(words, word) ? words[word] : undefined

const parseDecision = (
  output: JsonObject,
  inner: JsonObject,
  { kind }: Event,
  { old, decisions, capabilities }: HookOutputFormat,
): ParsedDecision | { readonly failed: string } => {
  const top = output.decision === undefined ? 'pass' : decisionByWord(old, output.decision)
  if (top === undefined) return unknownValueFailure('decision', output.decision)
  const before = kind === 'tool.before'
  const legacy: ParsedDecision = {
    decision: top === 'deny' || before ? top : 'pass',
    reason: stringField(output, 'reason'),
  }
  if (kind === 'permission.request' && inner.decision !== undefined)
    return parsePermissionDecision(objectField(inner, 'decision'))
  if (!before) return legacy
  const rewrites = capabilities.events[kind]?.rewrites !== undefined
  const input = rewrites && isObject(inner.updatedInput) ? inner.updatedInput : undefined
  const word = inner.permissionDecision
  if (word === undefined) return { ...legacy, input }
  const decision = decisionByWord(decisions, word)
  if (!decision) return unknownValueFailure('permissionDecision', word)
  return { decision, reason: stringField(inner, 'permissionDecisionReason'), ...(word !== 'defer' && { input }) }
}

const parsePermissionDecision = (output: JsonObject): ParsedDecision | { readonly failed: string } => {
  if (output.behavior === 'deny')
    return { decision: 'deny', reason: stringField(output, 'message'), interrupt: booleanField(output, 'interrupt') }
  if (output.behavior !== 'allow') return unknownValueFailure('behavior', output.behavior)
  return { decision: 'allow', input: isObject(output.updatedInput) ? output.updatedInput : undefined }
}

const unknownValueFailure = (key: string, value: unknown): { readonly failed: string } => ({
  failed: `gave \`${key}\` as ${JSON.stringify(value)?.slice(0, 60)}, which the client does not know`,
})

const replyTextsOf = (output: JsonObject): { readonly context: string; readonly message: string } => ({
  context: stringField(objectField(output, 'hookSpecificOutput'), 'additionalContext') ?? '',
  message: joinLines(
    stringField(output, 'systemMessage'),
    booleanField(output, 'continue') === false ? stringField(output, 'stopReason') : '',
  ),
})

const joinLines = (...parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join('\n')

/** Keys at the top level, in `hookSpecificOutput` and in its `decision`: a key at the wrong level is ignored. */
const TOP_KEYS: ReadonlySet<string> = new Set(
  'continue stopReason systemMessage suppressOutput decision reason hookSpecificOutput'.split(' '),
)
const INNER_KEYS: ReadonlySet<string> = new Set(
  'hookEventName permissionDecision permissionDecisionReason additionalContext updatedInput decision'.split(' '),
)
const PERMISSION_KEYS: ReadonlySet<string> = new Set(['behavior', 'message', 'interrupt', 'updatedInput'])

/** Unsupported keys: session titles, replaced tool output, permission updates; `updatedInput` where rewrites are not possible. */
const ignoredKeysIn = (output: JsonObject, { kind }: Event, { capabilities }: HookOutputFormat): readonly string[] => {
  const inner = objectField(output, 'hookSpecificOutput')
  const unread = kind === 'tool.before' && capabilities.events[kind]?.rewrites === undefined
  const lost = [
    ...unknownKeysOf(output, TOP_KEYS),
    ...unknownKeysOf(inner, INNER_KEYS),
    ...unknownKeysOf(objectField(inner, 'decision'), PERMISSION_KEYS),
  ]
  return unread && inner.updatedInput !== undefined ? [...lost, 'updatedInput'] : lost
}
