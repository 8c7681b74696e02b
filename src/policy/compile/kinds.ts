import { type Condition, EVENT_KINDS, type EventKind } from '../../pattern/index.ts'

/** The kinds of event under which the condition can be true at all. */
export function possibleKinds(condition: Condition): readonly EventKind[] {
  return EVENT_KINDS.filter(kind => canBe(condition, kind, true))
}

/** Only `event` is looked at; every other key may be anything. */
function canBe(condition: Condition, kind: EventKind, wanted: boolean): boolean {
  if ('all' in condition) {
    return wanted
      ? condition.all.every(one => canBe(one, kind, true))
      : condition.all.some(one => canBe(one, kind, false))
  }
  if ('any' in condition) {
    return wanted
      ? condition.any.some(one => canBe(one, kind, true))
      : condition.any.every(one => canBe(one, kind, false))
  }
  if ('not' in condition) return canBe(condition.not, kind, !wanted)
  return condition.key !== 'event' || condition.in.includes(kind) === wanted
}

/** Names it an event anywhere? A transition that does not belongs to the clock. */
export function namesEvent(condition: Condition): boolean {
  if ('all' in condition) return condition.all.some(namesEvent)
  if ('any' in condition) return condition.any.some(namesEvent)
  if ('not' in condition) return namesEvent(condition.not)
  return condition.key === 'event'
}

/** A rule that names no event speaks of calls about to be made. */
export const beforeByDefault = (condition: Condition): Condition =>
  namesEvent(condition) ? condition : and({ key: 'event', in: ['tool.before'] }, condition)

const and = (first: Condition, rest: Condition): Condition => ({ all: [first, ...('all' in rest ? rest.all : [rest])] })
