import { isObject, type Json, type JsonObject } from '../../../lib/json.ts'

/** Formats exemptions as one `unless` line; `old`: the rule's present `unless`, which is merged in. */
export const formatUnlessLine = (added: readonly JsonObject[], old: JsonObject | null = null): string =>
  `unless: ${toFlowYaml([...(old ? [old] : []), ...added].reduce(mergeExemptions))}`

/** Disjunction of both, in the shortest notation. */
function mergeExemptions(old: JsonObject, added: JsonObject): JsonObject {
  const [key, ...more] = Object.keys(added)
  if (key !== undefined && more.length === 0 && Object.keys(old).join() === key && LIST_KEYS.has(key)) {
    const values = [...new Set([old[key] ?? [], added[key] ?? []].flat())]
    return { [key]: values.length === 1 ? (values[0] ?? '') : values }
  }
  const known = Object.keys(old).join() === 'any' && Array.isArray(old.any) ? old.any : [old]
  return { any: [...known, added] }
}

/** Keys whose list values are alternatives. */
const LIST_KEYS: ReadonlySet<string> = new Set(['command', 'path', 'url', 'agent', 'caller', 'tool', 'action'])

/** YAML in flow style, on one line. */
function toFlowYaml(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(toFlowYaml).join(', ')}]`
  if (isObject(value))
    return `{ ${Object.entries(value)
      .map(([key, one]) => `${toYamlScalar(key)}: ${toFlowYaml(one ?? null)}`)
      .join(', ')} }`
  return typeof value === 'string' ? toYamlScalar(value) : String(value)
}

const toYamlScalar = (text: string): string =>
  /^[a-z_./][\w./+=@-]*( (--|[\w./+=@:-]*\w))*$/i.test(text) && !/^(true|false|null|yes|no|on|off|~)$/i.test(text)
    ? text
    : JSON.stringify(text)
