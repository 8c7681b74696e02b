import type { Event, Regex } from '../../engine/index.ts'
import type { CallParser } from './abstraction/residual-condition.ts'

type ParseEvent = CallParser['parseEvent']

const PARSED_EVENTS = new WeakMap<ParseEvent, Map<string, Event | null>>()

/** The same shorthand is parsed for every rule that suggests it and for every policy that a fix is tried with. */
export function memoizeParser(parseEvent: ParseEvent): ParseEvent {
  const known = PARSED_EVENTS.get(parseEvent) ?? new Map<string, Event | null>()
  PARSED_EVENTS.set(parseEvent, known)
  return shorthand => {
    const key = JSON.stringify(shorthand)
    const found = known.get(key)
    if (found !== undefined) return found
    const event = withOwnActions(parseEvent(shorthand))
    known.set(key, event)
    return event
  }
}

/** The evaluator caches answers by action object, so no two calls may share one. */
const withOwnActions = (event: Event | null): Event | null =>
  event?.call ? { ...event, call: { ...event.call, acts: event.call.acts.map(act => ({ ...act })) } } : event

/** The same texts are matched against the same patterns many times. */
export function memoizeRegex(regex: Regex): Regex {
  const known = new Map<string, Map<string, ReturnType<Regex['search']>>>()
  const search: Regex['search'] = (pattern, text) => {
    const texts = known.get(pattern) ?? new Map<string, ReturnType<Regex['search']>>()
    known.set(pattern, texts)
    const found = texts.get(text)
    if (found !== undefined) return found
    const answer = regex.search(pattern, text)
    texts.set(text, answer)
    return answer
  }
  return { ...regex, search }
}
