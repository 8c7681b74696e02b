/** A JSON value as it came over the wire. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value of a field, `a.b` for one inside another, as text. */
export function fieldText(value: Json | undefined, path: string): string | undefined {
  const own = isObject(value) ? value[path] : undefined
  if (!path.includes('.')) return textOf(own)
  return textOf(
    own ?? path.split('.').reduce<Json | undefined>((at, name) => (isObject(at) ? at[name] : undefined), value),
  )
}

/** Null is nothing. */
const textOf = (value: Json | undefined): string | undefined =>
  value === undefined || value === null ? undefined : typeof value === 'string' ? value : jsonText(value)

/** As JSON. `JSON.parse` takes deeper nesting than `JSON.stringify` can follow (Node 20): such a value is ''. */
export function jsonText(value: Json | undefined): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}
