import { isObject, type Json, type JsonObject } from './json.ts'

/** The JSON Schema subset of `capture`: type, required, properties, enum, minimum, maximum, minLength, items. Returns all problems. */
export function shapeErrors(value: Json | undefined, schema: JsonObject, at = ''): readonly string[] {
  if (value === undefined) return ['no JSON object found in the answer']
  const here = at || 'the answer'
  const { type } = schema
  if (type !== undefined && !isOfType(value, type)) {
    return [`${here} must be ${Array.isArray(type) ? type.join(' or ') : String(type)}`]
  }
  return [
    ...enumProblems(value, schema, here),
    ...rangeProblems(value, schema, here),
    ...lengthProblems(value, schema, here),
    ...partProblems(value, schema, at),
  ]
}

function enumProblems(value: Json, schema: JsonObject, here: string): readonly string[] {
  const choices = schema.enum
  if (!Array.isArray(choices) || choices.includes(value)) return []
  return [`${here} must be one of ${choices.map(String).join(', ')}`]
}

function rangeProblems(value: Json, schema: JsonObject, here: string): readonly string[] {
  if (typeof value !== 'number') return []
  const { minimum, maximum } = schema
  const problems: string[] = []
  if (typeof minimum === 'number' && value < minimum) problems.push(`${here} must be at least ${minimum}`)
  if (typeof maximum === 'number' && value > maximum) problems.push(`${here} must be at most ${maximum}`)
  return problems
}

/** Blanks at the ends do not count: a text of nothing but blanks is empty. */
function lengthProblems(value: Json, { minLength }: JsonObject, here: string): readonly string[] {
  if (typeof value !== 'string' || typeof minLength !== 'number' || [...value.trim()].length >= minLength) return []
  return [minLength === 1 ? `${here} must not be blank` : `${here} must have at least ${minLength} characters`]
}

function partProblems(value: Json, schema: JsonObject, at: string): readonly string[] {
  const { items } = schema
  if (Array.isArray(value)) {
    return isObject(items) ? value.flatMap((item, index) => shapeErrors(item, items, `${at}[${index}]`)) : []
  }
  if (!isObject(value)) return []
  const required = Array.isArray(schema.required) ? schema.required.map(String) : []
  const missing = required.filter(name => value[name] === undefined)
  const properties = isObject(schema.properties) ? schema.properties : {}
  return [
    ...(missing.length > 0 ? [`missing ${missing.map(name => (at ? `${at}.${name}` : name)).join(', ')}`] : []),
    ...Object.entries(properties).flatMap(([name, part]) => {
      const inner = value[name]
      return inner === undefined || !isObject(part) ? [] : shapeErrors(inner, part, at ? `${at}.${name}` : name)
    }),
  ]
}

function isOfType(value: Json, type: Json): boolean {
  if (Array.isArray(type)) return type.some(candidate => isOfType(value, candidate))
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'null') return value === null
  if (type === 'object') return isObject(value)
  return typeof value === type
}
