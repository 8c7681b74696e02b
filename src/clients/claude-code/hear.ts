import type { Decision, Event } from '../../core/index.ts'
import { isObject, type JsonObject } from '../../pattern/index.ts'
import { badExit, type Heard, type Ran, readOutput, unheard, verdictOf } from '../hearing.ts'
import { flag, object, text } from '../wire.ts'
import { capabilities } from './capabilities.ts'

/**
 * A hook's reply by the client's own rules (2.1.325), with two differences: exit 2 refuses a permission request too (the
 * client ignores it there), and what the client would silently ignore is a failure, so that somebody hears of it.
 */
export const hear = (ran: Ran, event: Event): Heard => {
  const output = readOutput(ran)
  if (ran.exitCode === 2) return refused(ran, isObject(output) ? output : {}, event)
  if (isObject(output)) {
    const heard = spoken(output, event)
    const undecided = 'verdict' in heard && heard.verdict.decision === 'pass' && heard.verdict.continue !== false
    return ran.exitCode !== 0 && undecided ? { failed: badExit(ran) } : heard
  }
  if (ran.exitCode !== 0) return { failed: badExit(ran) }
  if (output === 'garbage') return { failed: 'gave a reply that is not JSON' }
  if (output === 'nothing') return PASSED
  if (PLAIN.has(event.name)) return { verdict: { decision: 'pass', context: ran.stdout.trim() } }
  return /^\s*\{/m.test(ran.stdout) ? { failed: 'printed other text before its JSON' } : PASSED
}

const PASSED: Heard = { verdict: { decision: 'pass' } }

/** Events whose hooks may print plain text for the agent; elsewhere the client puts it in its debug log. */
const PLAIN: ReadonlySet<string> = new Set(['SessionStart', 'UserPromptSubmit', 'UserPromptExpansion'])

/** Exit 2 holds whatever the JSON says, and even if the JSON is wrong. Where nothing can be refused it is for the person. */
const refused = (ran: Ran, output: JsonObject, event: Event): Heard => {
  const said = ran.stderr.trim()
  const told = {
    ...spokenTexts(output),
    continue: flag(output, 'continue') ?? true,
    suppressOutput: flag(output, 'suppressOutput') ?? false,
  }
  if (!capabilities.events[event.kind]?.can.includes('deny'))
    return { verdict: verdictOf('pass', '', { ...told, message: join(told.message, said) }) }
  const inner = object(output, 'hookSpecificOutput')
  const blocks = text(inner, 'permissionDecision') === 'deny' || text(output, 'decision') === 'block'
  const own = blocks ? (text(inner, 'permissionDecisionReason') ?? text(output, 'reason')) : undefined
  return { verdict: verdictOf('deny', own ?? text(object(inner, 'decision'), 'message') ?? said, told) }
}

const spoken = (output: JsonObject, event: Event): Heard => {
  const inner = output.hookSpecificOutput
  if (inner !== undefined && text(object(output, 'hookSpecificOutput'), 'hookEventName') !== event.name)
    return {
      failed: `gave a \`hookSpecificOutput\` without \`hookEventName: ${event.name}\`: the client ignores such a reply`,
    }
  const said = decisionOf(output, object(output, 'hookSpecificOutput'), event)
  if ('failed' in said) return said
  const { decision, reason, input, interrupt } = said
  const goesOn = flag(output, 'continue') !== false && interrupt !== true
  const more = {
    ...spokenTexts(output),
    continue: goesOn,
    suppressOutput: flag(output, 'suppressOutput') ?? false,
  }
  const lost = lostIn(output)
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

/**
 * `defer` hands the call to a later run, and ranks above `ask` (D13). It exists only where nobody can be asked, and there
 * the client takes `ask` for a no: so `ask` is not weaker, and says why.
 */
const DECISIONS: Readonly<Record<string, Decision>> = { allow: 'allow', deny: 'deny', ask: 'ask', defer: 'ask' }

const decisionOf = (output: JsonObject, inner: JsonObject, { kind }: Event): Said | { readonly failed: string } => {
  const old = output.decision
  if (old !== undefined && old !== 'approve' && old !== 'block') return unknown('decision', old)
  const before = kind === 'tool.before'
  const legacy: Said = {
    decision: old === 'block' ? 'deny' : old === 'approve' && before ? 'allow' : 'pass',
    reason: text(output, 'reason'),
  }
  if (kind === 'permission.request' && inner.decision !== undefined) return permission(object(inner, 'decision'))
  if (!before) return legacy
  const input = isObject(inner.updatedInput) ? inner.updatedInput : undefined
  const word = inner.permissionDecision
  if (word === undefined) return { ...legacy, input }
  const decision = typeof word === 'string' && Object.hasOwn(DECISIONS, word) ? DECISIONS[word] : undefined
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

const HEARD: ReadonlySet<string> = new Set([
  ...['continue', 'stopReason', 'systemMessage', 'suppressOutput', 'decision', 'reason', 'hookSpecificOutput'],
  ...['hookEventName', 'permissionDecision', 'permissionDecisionReason', 'additionalContext', 'updatedInput'],
  ...['behavior', 'message', 'interrupt'],
])

/** What there is no common word for: new titles, replaced tool output, permissions to keep. */
const lostIn = (output: JsonObject): readonly string[] => {
  const inner = object(output, 'hookSpecificOutput')
  return [output, inner, object(inner, 'decision')].flatMap(said => unheard(said, HEARD))
}
