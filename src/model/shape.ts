import type { Json, JsonObject } from '../pattern/index.ts'

/** Readers of JSON that take what is of another type for missing: the four protocols are read for a few fields only. */
export const listOf = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : []

export const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})

export const stringOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

/** Every string in it, however deep: what a model would read. */
export function textOf(value: Json | undefined): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join('\n')
  return isObject(value) ? textOf(Object.values(value)) : ''
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
