import type { Condition } from '../../../engine/index.ts'
import type { TransitionDoc } from '../../schema/gate.ts'
import { type CompileContext, reportWarning } from '../context.ts'

/** Warns about a gate that a command opens without a word about its end: the call opens it when it begins, even if it fails or is denied. */
export function warnIfOpenedAtStart(context: CompileContext, doc: TransitionDoc, when: Condition): void {
  if (doc.to !== 'open' || !requires(when, 'command')) return
  if (mentions(when, 'event') || mentions(when, 'succeeded')) return
  reportWarning(context, doc, 'when', 'the gate opens when this command starts, also if it fails or is denied', {
    help: 'add `event: tool.after, succeeded: true`; if the start is enough, `event: tool.before`',
  })
}

type Key = Extract<Condition, { readonly key: string }>['key']

/** Whether no event without this key satisfies the condition. */
function requires(condition: Condition, key: Key): boolean {
  if ('all' in condition) return condition.all.some(part => requires(part, key))
  if ('any' in condition) return condition.any.length > 0 && condition.any.every(part => requires(part, key))
  return 'key' in condition && condition.key === key
}

function mentions(condition: Condition, key: Key): boolean {
  if ('all' in condition) return condition.all.some(part => mentions(part, key))
  if ('any' in condition) return condition.any.some(part => mentions(part, key))
  if ('with' in condition) return mentions(condition.with, key)
  return 'not' in condition ? mentions(condition.not, key) : condition.key === key
}
