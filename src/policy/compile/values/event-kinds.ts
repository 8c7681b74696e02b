import { type Condition, EVENT_KINDS, type EventKind } from '../../../engine/index.ts'

/** The kinds of event for which the condition can be true. */
export function possibleEventKinds(condition: Condition): readonly EventKind[] {
  return EVENT_KINDS.filter(kind => canMatchKind(condition, kind, true))
}

/** Considers only the key `event`; any other key may be true or false. */
function canMatchKind(condition: Condition, kind: EventKind, wanted: boolean): boolean {
  if ('all' in condition) {
    return wanted
      ? condition.all.every(candidate => canMatchKind(candidate, kind, true))
      : condition.all.some(candidate => canMatchKind(candidate, kind, false))
  }
  if ('any' in condition) {
    return wanted
      ? condition.any.some(candidate => canMatchKind(candidate, kind, true))
      : condition.any.every(candidate => canMatchKind(candidate, kind, false))
  }
  if ('not' in condition) return canMatchKind(condition.not, kind, !wanted)
  return !('key' in condition) || condition.key !== 'event' || condition.in.includes(kind) === wanted
}

/** Whether the condition names an event. A transition that names none is time-based. */
export function namesEvent(condition: Condition): boolean {
  if ('all' in condition) return condition.all.some(namesEvent)
  if ('any' in condition) return condition.any.some(namesEvent)
  if ('not' in condition) return namesEvent(condition.not)
  return 'key' in condition && condition.key === 'event'
}

/** A rule that names no event applies to calls about to be made. */
export const withDefaultEvent = (condition: Condition): Condition =>
  namesEvent(condition) ? condition : conjoin({ key: 'event', in: ['tool.before'] }, condition)

const conjoin = (first: Condition, rest: Condition): Condition => ({
  all: [first, ...('all' in rest ? rest.all : [rest])],
})
