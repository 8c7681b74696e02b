import type { Json, JsonObject } from '../../lib/json.ts'
import { toolInputOf, toToolInput } from '../adapter/decode/fields.ts'

/** A field by its camelCase name, in whichever style the payload has it: some payloads mix them. */
export const fieldOf = (payload: JsonObject, name: string): Json | undefined =>
  payload[name] ?? payload[name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)]

/** Of another type, or empty, it is as if missing. */
export const stringFieldOf = (payload: JsonObject, name: string): string | undefined => {
  const value = fieldOf(payload, name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** What a tool is called with: `toolArgs` may be JSON as a string, a request for permission and the other style say `toolInput`. */
export const toolArgsOf = (payload: JsonObject): JsonObject => {
  const args = fieldOf(payload, 'toolArgs') ?? fieldOf(payload, 'toolInput')
  return args === undefined ? toolInputOf(payload) : toToolInput(args)
}

/** Milliseconds since 1970: a number in one style, ISO in the other, the same for every hook that gets the event. */
export const timestampOf = ({ timestamp }: JsonObject): number | undefined => {
  const time = typeof timestamp === 'string' ? Date.parse(timestamp) : timestamp
  return typeof time === 'number' && Number.isFinite(time) ? time : undefined
}
