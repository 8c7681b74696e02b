import type { Event } from '../../../engine/index.ts'
import { type JsonObject, jsonText } from '../../../lib/json.ts'
import { stringField } from './fields.ts'

/**
 * An event's identity: the ids a client gave it and what it is about, word for word. The ids alone are not enough: models behind a
 * proxy may number their calls anew in every turn, and a call must never get another call's answer. The store keeps its hash.
 */
export const eventIdentityOf = (ids: readonly string[], about: string): string => JSON.stringify([...ids, about])

/** Of a payload that has its own time, the same for every hook that gets it: whatever else it says belongs to it. */
export const identityByTimestamp = (payload: JsonObject, { name, kind }: Event): Pick<Event, 'identity'> => {
  const time = stringField(payload, 'timestamp')
  const content = time === undefined ? '' : jsonText(payload)
  return time === undefined || content === '' ? {} : { identity: eventIdentityOf([name, kind, time], content) }
}
