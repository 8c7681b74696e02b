import type { Call, CallTools } from './call.ts'
import type { Deed } from './deed.ts'
import type { Likeness } from './likeness.ts'
import type { Step } from './step.ts'
import { endOf, isChance } from './telling.ts'
import type { View } from './view.ts'

/** An approved call is one of an agent that `signalbox orchestrate` starts. */
export function orderOf({ read }: CallTools): Call | undefined {
  const short = { shell: 'signalbox orchestrate some-task' }
  const before = read(short)
  return before?.call ? { short, before, approved: false, witnessed: false } : undefined
}

/** Deeds with the same key are the same to these gates. */
export const ownKey = ({ by, call, events }: Deed, like: Likeness): string => {
  if (call) return `${like.ofAgent(by)} ${like.ofCall(call)}`
  return events[0]?.kind === 'turn.stop' ? 'the turn ends' : `${like.ofAgent(by)} stops`
}

/** How the call ended is told there, and this one was left open. */
export const endsByChance = ({ end, call }: Step, view: View): boolean =>
  end === 'unknown' && call !== undefined && isChance(view, endOf(call.before, 'tool.after', 'unknown'))
