import type { ToolCall } from '../../../engine/index.ts'
import type { JsonObject } from '../../../lib/json.ts'

interface CallFields {
  readonly tool: string
  readonly native: string
  readonly input: JsonObject
  readonly id?: string | undefined
  readonly folder?: string | undefined
}

/** A call as a client tells of it, without what it does not tell. What it does (`acts`) is read later. */
export const createCall = ({ tool, native, input, id, folder }: CallFields): ToolCall => ({
  tool,
  ...(tool !== native && { native }),
  input,
  ...(id !== undefined && { id }),
  ...(folder !== undefined && { folder }),
  acts: [],
})
