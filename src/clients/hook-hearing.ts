import type { Capabilities, Decision, Event } from '../core/index.ts'
import { isObject, type JsonObject } from '../pattern/index.ts'
import { badExit, type Heard, type Ran, readOutput, unheard, verdictOf } from './hearing.ts'
import { flag, object, text } from './wire.ts'

/** How a client reads what its hooks print as `hookSpecificOutput`. */
export interface HookHearing {
  readonly capabilities: Capabilities
  /** events whose hooks may print plain text for the agent; elsewhere it is for nobody */
  readonly plain: ReadonlySet<string>
  /** what a `decision` at the top may be; `allow` is one only before a call */
  readonly old: Readonly<Record<string, Decision>>
  readonly decisions: Readonly<Record<string, Decision>>
  /** a `hookSpecificOutput` without the event's name voids the reply */
  readonly needsName: boolean
}

/**
 * A hook's reply by the client's own rules, with two differences: exit 2 refuses a permission request too (the
 * client ignores it there), and what the client would silently ignore is a failure, so that somebody hears of it.
 */
export const hearIn =
  (client: HookHearing) =>
  (ran: Ran, event: Event): Heard => {
    const output = readOutput(ran)
    if (ran.exitCode === 2) return refused(ran, isObject(output) ? output : {}, event, client)
    if (isObject(output)) {
      const heard = spoken(output, event, client)
      const undecided = 'verdict' in heard && heard.verdict.decision === 'pass' && heard.verdict.continue !== false
      return ran.exitCode !== 0 && undecided ? { failed: badExit(ran) } : heard
    }
    if (ran.exitCode !== 0) return { failed: badExit(ran) }
    if (output === 'garbage') return { failed: 'gave a reply that is not JSON' }
    if (output === 'nothing') return PASSED
    if (client.plain.has(event.name)) return { verdict: { decision: 'pass', context: ran.stdout.trim() } }
    return /^\s*\{/m.test(ran.stdout) ? { failed: 'printed other text before its JSON' } : PASSED
  }

const PASSED: Heard = { verdict: { decision: 'pass' } }

/** Exit 2 holds whatever the JSON says, and even if the JSON is wrong. Where nothing can be refused it is for the person. */
const refused = (ran: Ran, output: JsonObject, event: Event, { capabilities, old }: HookHearing): Heard => {
  const said = ran.stderr.trim()
  const told = {
    ...spokenTexts(output),
    continue: flag(output, 'continue') ?? true,
    suppressOutput: flag(output, 'suppressOutput') ?? false,
  }
  if (!capabilities.events[event.kind]?.can.includes('deny'))
    return { verdict: verdictOf('pass', '', { ...told, message: join(told.message, said) }) }
  const inner = object(output, 'hookSpecificOutput')
  const blocks = text(inner, 'permissionDecision') === 'deny' || wordIn(old, output.decision) === 'deny'
  const own = blocks ? (text(inner, 'permissionDecisionReason') ?? text(output, 'reason')) : undefined
  return { verdict: verdictOf('deny', own ?? text(object(inner, 'decision'), 'message') ?? said, told) }
}

const spoken = (output: JsonObject, event: Event, client: HookHearing): Heard => {
  const inner = client.needsName ? output.hookSpecificOutput : undefined
  if (inner !== undefined && text(object(output, 'hookSpecificOutput'), 'hookEventName') !== event.name)
    return {
      failed: `gave a \`hookSpecificOutput\` without \`hookEventName: ${event.name}\`: the client ignores such a reply`,
    }
  const said = decisionOf(output, object(output, 'hookSpecificOutput'), event, client)
  if ('failed' in said) return said
  const { decision, reason, input, interrupt } = said
  const goesOn = flag(output, 'continue') !== false && interrupt !== true
  const more = {
    ...spokenTexts(output),
    continue: goesOn,
    suppressOutput: flag(output, 'suppressOutput') ?? false,
  }
  const lost = lostIn(output, event, client)
  return {
    verdict: verdictOf(decision, reason ?? '', more),
    ...(input && { input }),
    ...(lost.length > 0 && { lost }),
  }
}

interface Said {
  readonly decision: Decision
  readonly reason?: string | undefined
  readonly input?: JsonObject | undefined
  readonly interrupt?: boolean | undefined
}

const wordIn = (words: Readonly<Record<string, Decision>>, word: unknown): Decision | undefined =>
  typeof word === 'string' && Object.hasOwn(words, word) ? words[word] : undefined

const decisionOf = (
  output: JsonObject,
  inner: JsonObject,
  { kind }: Event,
  { old, decisions, capabilities }: HookHearing,
): Said | { readonly failed: string } => {
  const top = output.decision === undefined ? 'pass' : wordIn(old, output.decision)
  if (top === undefined) return unknown('decision', output.decision)
  const before = kind === 'tool.before'
  const legacy: Said = {
    decision: top === 'deny' || before ? top : 'pass',
    reason: text(output, 'reason'),
  }
  if (kind === 'permission.request' && inner.decision !== undefined) return permission(object(inner, 'decision'))
  if (!before) return legacy
  const rewrites = capabilities.events[kind]?.rewrites !== undefined
  const input = rewrites && isObject(inner.updatedInput) ? inner.updatedInput : undefined
  const word = inner.permissionDecision
  if (word === undefined) return { ...legacy, input }
  const decision = wordIn(decisions, word)
  if (!decision) return unknown('permissionDecision', word)
  return { decision, reason: text(inner, 'permissionDecisionReason'), ...(word !== 'defer' && { input }) }
}

const permission = (said: JsonObject): Said | { readonly failed: string } => {
  if (said.behavior === 'deny')
    return { decision: 'deny', reason: text(said, 'message'), interrupt: flag(said, 'interrupt') }
  if (said.behavior !== 'allow') return unknown('behavior', said.behavior)
  return { decision: 'allow', input: isObject(said.updatedInput) ? said.updatedInput : undefined }
}

const unknown = (key: string, value: unknown): { readonly failed: string } => ({
  failed: `gave \`${key}\` as ${JSON.stringify(value)?.slice(0, 60)}, which the client does not know`,
})

const spokenTexts = (output: JsonObject): { readonly context: string; readonly message: string } => ({
  context: text(object(output, 'hookSpecificOutput'), 'additionalContext') ?? '',
  message: join(text(output, 'systemMessage'), flag(output, 'continue') === false ? text(output, 'stopReason') : ''),
})

const join = (...parts: readonly (string | undefined)[]): string => parts.filter(Boolean).join('\n')

/** At the top, in `hookSpecificOutput`, and in its `decision`: a word in the wrong place is not heard. */
const TOP: ReadonlySet<string> = new Set(
  'continue stopReason systemMessage suppressOutput decision reason hookSpecificOutput'.split(' '),
)
const INNER: ReadonlySet<string> = new Set(
  'hookEventName permissionDecision permissionDecisionReason additionalContext updatedInput decision'.split(' '),
)
const REQUEST: ReadonlySet<string> = new Set(['behavior', 'message', 'interrupt', 'updatedInput'])

/** What there is no common word for: new titles, replaced tool output, permissions to keep; an input nobody reads. */
const lostIn = (output: JsonObject, { kind }: Event, { capabilities }: HookHearing): readonly string[] => {
  const inner = object(output, 'hookSpecificOutput')
  const unread = kind === 'tool.before' && capabilities.events[kind]?.rewrites === undefined
  const lost = [...unheard(output, TOP), ...unheard(inner, INNER), ...unheard(object(inner, 'decision'), REQUEST)]
  return unread && inner.updatedInput !== undefined ? [...lost, 'updatedInput'] : lost
}
