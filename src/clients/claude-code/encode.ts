import type { Event, Outcome } from '../../core/index.ts'
import type { EventKind, JsonObject } from '../../pattern/index.ts'
import { type Reply, SILENCE } from '../client.ts'
import { capabilities } from './capabilities.ts'
import { NAMES } from './events.ts'

/** Only what was decided: silence is no opinion, an explicit allow would skip the person's own prompt (D2). */
export const encode = (outcome: Outcome, event: Event): Reply => {
  const { kind } = event
  const can = capabilities.events[kind]
  if (can === undefined) return SILENCE
  const decision = can.can.includes(outcome.decision) ? outcome.decision : 'pass'
  const inner: JsonObject = {
    ...innerDecision(kind, decision, outcome),
    ...(can.context && outcome.context !== '' && { additionalContext: short(outcome.context) }),
  }
  const message = messageOf(kind, decision, outcome)
  const words: JsonObject = {
    ...(!outcome.continue && { continue: false }),
    ...(outcome.suppressOutput && { suppressOutput: true }),
    ...(message !== '' && { systemMessage: short(message) }),
    ...(decision === 'deny' && BLOCKS.has(kind) && { decision: 'block', reason: because(outcome.reason) }),
    // without the right `hookEventName` the client ignores the whole object
    ...(Object.keys(inner).length > 0 && { hookSpecificOutput: { hookEventName: NAMES[kind], ...inner } }),
  }
  return Object.keys(words).length === 0 ? SILENCE : { ...SILENCE, stdout: JSON.stringify(words) }
}

/** Events refused by a top-level `decision: "block"`. */
const BLOCKS: ReadonlySet<EventKind> = new Set<EventKind>([
  'prompt.submit',
  'tool.after',
  'tool.failed',
  'agent.stop',
  'turn.stop',
  'compact.before',
])

/** Events decided inside `hookSpecificOutput`. */
const innerDecision = (kind: EventKind, decision: Outcome['decision'], { reason, input }: Outcome): JsonObject => {
  const updated: JsonObject =
    input && capabilities.events[kind]?.rewrites?.includes(decision) ? { updatedInput: input } : {}
  if (kind === 'tool.before')
    return {
      ...(decision !== 'pass' && { permissionDecision: decision, permissionDecisionReason: because(reason) }),
      ...updated,
    }
  if (kind !== 'permission.request' || decision === 'pass' || decision === 'ask') return {}
  const deny = decision === 'deny'
  return { decision: deny ? { behavior: 'deny', message: because(reason) } : { behavior: 'allow', ...updated } }
}

/** On a permission request the client itself asks, so the reason of an `ask` is told beside its question. */
const messageOf = (kind: EventKind, decision: Outcome['decision'], outcome: Outcome): string => {
  const why = kind === 'permission.request' && decision === 'ask' ? outcome.reason : ''
  return [why, outcome.message].filter(part => part !== '').join('\n')
}

const because = (reason: string): string => (reason === '' ? 'Decided by the Signalbox policy.' : short(reason))

/** The client moves a string of more than 10,000 characters into a file and shows a preview. */
const short = (words: string): string =>
  words.length > 10_000 ? `${cut(words, 9_900)}… (cut: ${words.length} characters in all)` : words

/** Never through the middle of a surrogate pair. */
const cut = (words: string, length: number): string => {
  const last = words.charCodeAt(length - 1)
  return words.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}
