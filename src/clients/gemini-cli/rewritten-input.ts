import type { JsonObject } from '../../lib/json.ts'
import { objectField } from '../adapter/decode.ts'
import type { RewrittenCall } from '../client.ts'

/**
 * By the documentation a hook's `tool_input` is merged into the call's input, and one code path does so; the path used in 0.61.0
 * replaces the input. We merge and send the complete input: the result is the same on both paths, and is what was judged.
 */
export const mergeRewrittenInput = (payload: JsonObject, input: JsonObject): RewrittenCall => {
  const whole = { ...objectField(payload, 'tool_input'), ...input }
  return { payload: { ...payload, tool_input: whole }, input: whole }
}
