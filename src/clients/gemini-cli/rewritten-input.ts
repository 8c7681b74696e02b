import type { JsonObject } from '../../lib/json.ts'
import { objectField } from '../adapter/decode/fields.ts'
import type { RewrittenCall } from '../client.ts'

/**
 * The documentation has a hook's `tool_input` merged into the call's, and one of the program's two paths did so; the other, that of
 * 0.61.0, takes exactly what it is given. Merged here and sent whole it is the same for both, and is what was judged.
 */
export const mergeRewrittenInput = (payload: JsonObject, input: JsonObject): RewrittenCall => {
  const whole = { ...objectField(payload, 'tool_input'), ...input }
  return { payload: { ...payload, tool_input: whole }, input: whole }
}
