import type { CallStatus } from '../../engine/index.ts'
import { isObject, type Json, jsonText } from '../../lib/json.ts'
import { blockTexts, booleanField, stringField } from '../adapter/decode.ts'

/** The protocol has no status for calls. A result with an exit code, error or success flag is believed; otherwise unknown. */
export function callStatusOf(result: Json | undefined): CallStatus {
  if (!isObject(result)) return 'unknown'
  if (isBackgroundLaunch(result)) return 'unknown'
  const code = result.exit_code ?? result.exitCode
  if (typeof code === 'number') return code === 0 ? 'succeeded' : 'failed'
  if (booleanField(result, 'is_error') === true || (result.error ?? false) !== false) return 'failed'
  const success = booleanField(result, 'success')
  return success === undefined ? 'unknown' : success ? 'succeeded' : 'failed'
}

/** A background launch: there is no result yet. */
export const isBackgroundLaunch = (result: Json | undefined): boolean =>
  isObject(result) && (stringField(result, 'status') === 'async_launched' || booleanField(result, 'isAsync') === true)

/** The tool's output as text. */
export function toolOutputOf(result: Json | undefined): string | undefined {
  if (result === undefined || result === null) return undefined
  if (typeof result === 'string') return result
  if (Array.isArray(result)) return blockTexts(result).join('\n') || jsonText(result)
  if (!isObject(result)) return jsonText(result)
  if (Array.isArray(result.content)) return blockTexts(result.content).join('\n') || jsonText(result)
  return (
    stringField(result, 'stdout') ?? stringField(result, 'output') ?? stringField(result, 'content') ?? jsonText(result)
  )
}
