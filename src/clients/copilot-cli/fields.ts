import type { Json, JsonObject } from '../../lib/json.ts'
import { toolInputOf, toToolInput } from '../adapter/decode.ts'

/** A field by its camelCase name, in camelCase or snake_case: some payloads mix both. */
export const fieldOf = (payload: JsonObject, name: string): Json | undefined =>
  payload[name] ?? payload[name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)]

/** A value of another type, or an empty string, counts as missing. */
export const stringFieldOf = (payload: JsonObject, name: string): string | undefined => {
  const value = fieldOf(payload, name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The call's input: `toolArgs` may be JSON as a string; permission requests and the other style use `toolInput`. */
export const toolArgsOf = (payload: JsonObject): JsonObject => {
  const args = fieldOf(payload, 'toolArgs') ?? fieldOf(payload, 'toolInput')
  return args === undefined ? toolInputOf(payload) : toToolInput(args)
}

/** Milliseconds since 1970: a number in one style, ISO in the other. Every hook that gets the event sees the same time. */
export const timestampOf = ({ timestamp }: JsonObject): number | undefined => {
  const time = typeof timestamp === 'string' ? Date.parse(timestamp) : timestamp
  return typeof time === 'number' && Number.isFinite(time) ? time : undefined
}
