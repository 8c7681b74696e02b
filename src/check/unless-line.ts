import { isObject, type Json, type JsonObject } from '../pattern/index.ts'

/** Exemptions as they are to stand in a rule; `old`: what stands there already, for a rule has one `unless`. */
export const unlessLine = (added: readonly JsonObject[], old: JsonObject | null = null): string =>
  `unless: ${flow([...(old ? [old] : []), ...added].reduce(either))}`

/** Either of the two, as short as it can be said. */
function either(old: JsonObject, added: JsonObject): JsonObject {
  const [key, ...more] = Object.keys(added)
  if (key !== undefined && more.length === 0 && Object.keys(old).join() === key && LISTED.has(key)) {
    const values = [...new Set([old[key] ?? [], added[key] ?? []].flat())]
    return { [key]: values.length === 1 ? (values[0] ?? '') : values }
  }
  const known = Object.keys(old).join() === 'any' && Array.isArray(old.any) ? old.any : [old]
  return { any: [...known, added] }
}

/** Keys of which one value of a list is enough. */
const LISTED: ReadonlySet<string> = new Set(['command', 'path', 'url', 'agent', 'caller', 'tool', 'action'])

/** On one line. */
function flow(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`
  if (isObject(value))
    return `{ ${Object.entries(value)
      .map(([key, one]) => `${plain(key)}: ${flow(one ?? null)}`)
      .join(', ')} }`
  return typeof value === 'string' ? plain(value) : String(value)
}

const plain = (text: string): string =>
  /^[a-z_./][\w./+=@-]*( (--|[\w./+=@:-]*\w))*$/i.test(text) && !/^(true|false|null|yes|no|on|off|~)$/i.test(text)
    ? text
    : JSON.stringify(text)
