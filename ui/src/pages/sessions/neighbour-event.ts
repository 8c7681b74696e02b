import type { SessionEvent } from '../../../../src/app/dashboard/api.ts'

type Events = readonly SessionEvent[]

/** The event that an arrow key moves to: along time, or to another lane. */
export function neighbourEvent(events: Events, from: SessionEvent, key: string): SessionEvent | undefined {
  const at = events.indexOf(from)
  switch (key) {
    case 'ArrowRight':
      return events[at + 1]
    case 'ArrowLeft':
      return events[at - 1]
    case 'Home':
      return events[0]
    case 'End':
      return events.at(-1)
    case 'ArrowDown':
      return nearest(
        events.filter(event => event.lane === from.lane + 1),
        from.at,
      )
    case 'ArrowUp':
      return nearest(
        events.filter(event => event.lane === from.lane - 1),
        from.at,
      )
    default:
      return undefined
  }
}

const nearest = (events: Events, at: number): SessionEvent | undefined =>
  events.reduce<SessionEvent | undefined>(
    (best, one) => (best && Math.abs(best.at - at) <= Math.abs(one.at - at) ? best : one),
    undefined,
  )
