import type { Status } from '../../core/index.ts'
import { isObject, type Json, jsonText } from '../../pattern/index.ts'
import { blockTexts, flag, text } from '../wire.ts'

/** The protocol does not say how a call ended. A result that does is believed; any other leaves it open. */
export function statusOf(result: Json | undefined): Status {
  if (!isObject(result)) return 'unknown'
  if (isLaunch(result)) return 'unknown'
  const code = result.exit_code ?? result.exitCode
  if (typeof code === 'number') return code === 0 ? 'succeeded' : 'failed'
  if (flag(result, 'is_error') === true || (result.error ?? false) !== false) return 'failed'
  const success = flag(result, 'success')
  return success === undefined ? 'unknown' : success ? 'succeeded' : 'failed'
}

/** Something went to the background: there is no result yet (D7). */
export const isLaunch = (result: Json | undefined): boolean =>
  isObject(result) && (text(result, 'status') === 'async_launched' || flag(result, 'isAsync') === true)

/** What the tool put out, as text. */
export function outputOf(result: Json | undefined): string | undefined {
  if (result === undefined || result === null) return undefined
  if (typeof result === 'string') return result
  if (Array.isArray(result)) return blockTexts(result).join('\n') || jsonText(result)
  if (!isObject(result)) return jsonText(result)
  if (Array.isArray(result.content)) return blockTexts(result.content).join('\n') || jsonText(result)
  return text(result, 'stdout') ?? text(result, 'output') ?? text(result, 'content') ?? jsonText(result)
}
