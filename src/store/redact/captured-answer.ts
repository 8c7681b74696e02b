import { tryOr } from '../../lib/errors.ts'
import type { Json } from '../../lib/json.ts'
import { isSecretName } from './secret-names.ts'
import { REDACTED } from './text/tokens.ts'

/**
 * The captured answer without secrets, still valid JSON, because a replay reads it again. Each string is redacted by
 * itself: the quotes and escapes of JSON hide the end of a secret. Of an answer that was cut nothing is left.
 */
export const redactAnswer = (answer: string, redact: (text: string) => string): string =>
  tryOr('', () => JSON.stringify(redactValue(JSON.parse(answer), redact)))

function redactValue(value: Json, redact: (text: string) => string): Json {
  if (typeof value === 'string') return redact(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(item => redactValue(item, redact))
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      redact(name),
      isSecretName(name) ? hideLeaves(one) : redactValue(one, redact),
    ]),
  )
}

/** A yes or no is no secret. */
const hideLeaves = (value: Json): Json => {
  if (typeof value === 'boolean' || value === null || value === '') return value
  if (typeof value !== 'object') return REDACTED
  if (Array.isArray(value)) return value.map(hideLeaves)
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, hideLeaves(one)]))
}
