import type { Json, JsonObject } from '../../lib/json.ts'

/** These readers treat a value of another type as missing: only a few fields of the four protocols are read. */
export const toObjectList = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : []

export const toObject = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {})

export const toStringOrEmpty = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

/** All strings in the value, at any depth: the text a model would read. */
export function collectText(value: Json | undefined): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(collectText).filter(Boolean).join('\n')
  return isJsonObject(value) ? collectText(Object.values(value)) : ''
}

const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
