import type { Event } from '../../../engine/index.ts'
import { type JsonObject, jsonText } from '../../../lib/json.ts'
import { stringField } from './fields.ts'

/**
 * An event's identity: the ids that the client gave it, and its content. Ids alone are not enough: models behind a proxy may
 * restart their call numbers in every turn, and a call must never get another call's reply. The store keeps a hash of it.
 */
export const eventIdentityOf = (ids: readonly string[], about: string): string => JSON.stringify([...ids, about])

/** Identity of a payload with a timestamp, which is the same for every hook that receives it; the whole payload is the content. */
export const identityByTimestamp = (payload: JsonObject, { name, kind }: Event): Pick<Event, 'identity'> => {
  const time = stringField(payload, 'timestamp')
  const content = time === undefined ? '' : jsonText(payload)
  return time === undefined || content === '' ? {} : { identity: eventIdentityOf([name, kind, time], content) }
}
