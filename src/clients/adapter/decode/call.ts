import type { ToolCall } from '../../../engine/index.ts'
import type { JsonObject } from '../../../lib/json.ts'

interface CallFields {
  readonly tool: string
  readonly native: string
  readonly input: JsonObject
  readonly id?: string | undefined
  readonly folder?: string | undefined
}

/** A tool call, without absent fields. `acts` is filled in later by the hook. */
export const createCall = ({ tool, native, input, id, folder }: CallFields): ToolCall => ({
  tool,
  ...(tool !== native && { native }),
  input,
  ...(id !== undefined && { id }),
  ...(folder !== undefined && { folder }),
  acts: [],
})
