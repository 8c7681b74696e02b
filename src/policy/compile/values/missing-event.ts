import type { Condition } from '../../../engine/index.ts'
import { type CompileContext, reportError } from '../context.ts'
import { namesEvent } from './event-kinds.ts'

/** Keys that speak of no event: a transition with these keys only is applied before each event. */
const BETWEEN_EVENTS: ReadonlySet<string> = new Set('since gate captured env caller time git session'.split(' '))

/** Keys that match nothing when a call starts, and what to add. */
const NEVER_AT_START: Readonly<Record<string, string>> = {
  succeeded: 'add `event: tool.after`',
  prompt: 'add `event: prompt.submit`',
  source: 'add `event: prompt.submit`',
}

/** `counts` without `event` is about the start of calls. Reports a condition that nothing matches there; of a rule, the proof does. */
export function requireCountAtStart(context: CompileContext, gate: object, counts: Condition): void {
  if (namesEvent(counts)) return
  const needed = Object.keys(NEVER_AT_START).find(key => requires(counts, key))
  if (needed === undefined) return
  const message = `\`counts\` counts nothing: without \`event\` it is about calls that start, where there is no \`${needed}\``
  reportError(context, gate, 'counts', message, { help: NEVER_AT_START[needed] })
}

/** A transition about a call must say whether it means the start or the end of the call: neither is right for most. */
export function requireEventOfTransition(
  context: CompileContext,
  { doc, id, opens }: { readonly doc: object; readonly id: string; readonly opens: boolean },
  condition: Condition,
): void {
  const key = namesEvent(condition) ? undefined : keyOfEvent(condition)
  if (key === undefined) return
  const atEnd = '`event: tool.after` and `succeeded: true` for a call that has succeeded'
  const help = opens
    ? `add ${atEnd}, or \`event: tool.before\` if its start is enough`
    : `add \`event: tool.before\` for the start of the call, or ${atEnd}`
  const aboutAgents = 'add the event, for example `event: agent.stop`'
  reportError(context, doc, 'when', `transition \`${id}\` does not say at which event \`${key}\` is meant`, {
    help: NEVER_AT_START[key] ?? (key === 'agent' ? aboutAgents : help),
  })
}

/** The first key that speaks of an event. */
function keyOfEvent(condition: Condition): string | undefined {
  const parts = 'all' in condition ? condition.all : 'any' in condition ? condition.any : []
  if (parts.length > 0) return firstOf(parts)
  if ('not' in condition) return keyOfEvent(condition.not)
  if (!('key' in condition)) return Object.keys(condition).find(key => key !== 'all' && key !== 'any')
  return BETWEEN_EVENTS.has(condition.key) ? undefined : condition.key
}

/** `succeeded` first: with it, only the end of a call can be meant. */
function firstOf(parts: readonly Condition[]): string | undefined {
  const found = parts.flatMap(part => keyOfEvent(part) ?? [])
  return found.find(key => Object.hasOwn(NEVER_AT_START, key)) ?? found[0]
}

/** Whether no event without this key satisfies the condition. */
function requires(condition: Condition, key: string): boolean {
  if ('all' in condition) return condition.all.some(part => requires(part, key))
  if ('any' in condition) return condition.any.length > 0 && condition.any.every(part => requires(part, key))
  return 'key' in condition && condition.key === key
}
