import type { Event } from '../core/index.ts'
import { callDeed, type Deed } from './deed.ts'
import type { Inquiry } from './inquiry.ts'
import type { View } from './view.ts'

/** A call with such an event that this kind of client cannot make, or does not tell of so. */
export function unsent(
  { made, agents, view }: Inquiry,
  isIt: (event: Event, approved?: boolean) => boolean,
): Deed | undefined {
  const typed: View = { ...view, untyped: false, reports: () => true }
  for (const call of made)
    for (const by of ['main', ...agents]) {
      const deed = callDeed(call, by, typed)
      if (deed.events.some(event => isIt(event, call.approved))) return deed
    }
  return undefined
}
