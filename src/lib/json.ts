/** A JSON value as it came over the wire. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value of a field as text; `a.b` is field `b` inside field `a`. */
export function fieldText(value: Json | undefined, path: string): string | undefined {
  const own = isObject(value) ? value[path] : undefined
  if (!path.includes('.')) return textOf(own)
  return textOf(
    own ?? path.split('.').reduce<Json | undefined>((at, name) => (isObject(at) ? at[name] : undefined), value),
  )
}

/** Null counts as absent. */
const textOf = (value: Json | undefined): string | undefined =>
  value === undefined || value === null ? undefined : typeof value === 'string' ? value : jsonText(value)

/** As JSON. `JSON.parse` accepts deeper nesting than `JSON.stringify` can follow (Node 20): such a value gives ''. */
export function jsonText(value: Json | undefined): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}
