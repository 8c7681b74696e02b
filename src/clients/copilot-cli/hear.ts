import type { Decision, Event } from '../../core/index.ts'
import { isObject, type JsonObject } from '../../pattern/index.ts'
import { badExit, type Heard, type Ran, readOutput, unheard, verdictOf } from '../hearing.ts'
import { object, text } from '../wire.ts'
import { capabilities } from './capabilities.ts'

/**
 * A hook's reply by the client's own rules (1.0.102): the decision at the top, and before a call of the other style also within
 * `hookSpecificOutput`. There any exit but 0 refuses; what the client would silently ignore is a failure.
 */
export const hear = (ran: Ran, event: Event): Heard => {
  const output = readOutput(ran)
  if (ran.exitCode === 2) return { verdict: refused(ran, isObject(output) ? output : {}, event) }
  if (ran.exitCode !== 0)
    return event.kind === 'tool.before' ? { verdict: verdictOf('deny', badExit(ran), {}) } : { failed: badExit(ran) }
  if (output === 'nothing') return { verdict: { decision: 'pass' } }
  return isObject(output) ? spoken(output, event) : { failed: 'gave a reply that is not JSON' }
}

const refused = (ran: Ran, output: JsonObject, { kind }: Event) => {
  const reason = reasonOf(output) || ran.stderr.trim()
  const can = capabilities.events[kind]?.can.includes('deny')
  return can ? verdictOf('deny', reason, {}) : verdictOf('pass', '', { context: reason })
}

const reasonOf = (said: JsonObject): string =>
  text(said, 'permissionDecisionReason') ?? text(said, 'reason') ?? text(said, 'message') ?? ''

const HEARD: ReadonlySet<string> = new Set([
  ...['permissionDecision', 'permissionDecisionReason', 'modifiedArgs', 'updatedInput', 'additionalContext'],
  ...['behavior', 'message', 'decision', 'reason', 'hookSpecificOutput', 'hookEventName'],
])

const spoken = (output: JsonObject, event: Event): Heard => {
  const inner = object(output, 'hookSpecificOutput')
  // `preToolUse` does not look there
  const nested = event.kind === 'tool.before' && /^[A-Z]/.test(event.name)
  if (output.hookSpecificOutput !== undefined && !nested)
    return {
      failed: `gave a \`hookSpecificOutput\`, which ${event.name} does not read: it wants the decision at the top`,
    }
  const said = { ...inner, ...output }
  const decision = decisionOf(said, event)
  if (typeof decision === 'object') return decision
  const input = said.modifiedArgs ?? said.updatedInput
  const lost = [output, inner].flatMap(part => unheard(part, HEARD))
  return {
    verdict: verdictOf(decision, reasonOf(said), { context: text(said, 'additionalContext') ?? '' }),
    ...(event.kind === 'tool.before' && isObject(input) && { input }),
    ...(lost.length > 0 && { lost }),
  }
}

/** The word each event reads, and what it means. */
const WORDS: Readonly<
  Partial<Record<Event['kind'], readonly [key: string, words: Readonly<Record<string, Decision>>]>>
> = {
  'tool.before': ['permissionDecision', { allow: 'allow', ask: 'ask', deny: 'deny' }],
  'permission.request': ['behavior', { allow: 'allow', deny: 'deny' }],
}
const OTHERS = ['decision', { allow: 'pass', block: 'deny' }] as const

const decisionOf = (said: JsonObject, { kind }: Event): Decision | { readonly failed: string } => {
  const [key, words] = WORDS[kind] ?? OTHERS
  const value = said[key]
  const known: Readonly<Record<string, Decision>> = words
  if (value === undefined) {
    const other = ['permissionDecision', 'behavior', 'decision'].find(one => said[one] !== undefined)
    return other === undefined ? 'pass' : { failed: `gave \`${other}\`, which is not read here: it wants \`${key}\`` }
  }
  const decision = typeof value === 'string' && Object.hasOwn(known, value) ? known[value] : undefined
  return (
    decision ?? { failed: `gave \`${key}\` as ${JSON.stringify(value)?.slice(0, 60)}, which the client does not know` }
  )
}
