import { isObject, type Json, type JsonObject } from '../../../lib/json.ts'
import type { TokenUsage } from '../../client.ts'

/** Tolerant field readers: a value of another type counts as missing, and so does an empty string. */
export const stringField = (from: JsonObject, key: string): string | undefined => {
  const value = from[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}

export const booleanField = (from: JsonObject, key: string): boolean | undefined => {
  const value = from[key]
  return typeof value === 'boolean' ? value : undefined
}

export const positiveIntField = (from: JsonObject, key: string): number => {
  const value = from[key]
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : 0
}

export const objectField = (from: JsonObject, key: string): JsonObject => {
  const value = from[key]
  return isObject(value) ? value : {}
}

/** The called tool. Agents that run another agent's hooks may spell the field differently. */
export const toolNameOf = (payload: JsonObject): string | undefined =>
  stringField(payload, 'tool_name') ?? stringField(payload, 'toolName')

/** The call's input, under any name that agents use for it. */
export const toolInputOf = (payload: JsonObject): JsonObject =>
  toToolInput(
    ['tool_input', 'toolInput', 'tool_args', 'toolArgs', 'arguments', 'parameters', 'args', 'params', 'input']
      .map(name => payload[name])
      .find(value => value !== undefined && value !== null),
  )

const MAX_JSON_NESTING = 4

/** An object, or JSON text of an object (at most 4 times encoded); any other value is wrapped as `{ input }`. */
export const toToolInput = (value: Json | undefined): JsonObject => {
  let read = value
  for (let times = 0; typeof read === 'string' && times < MAX_JSON_NESTING; times++) {
    const parsed = parseJsonOrUndefined(read)
    if (parsed === undefined || typeof parsed === 'number' || typeof parsed === 'boolean') break
    read = parsed
  }
  if (isObject(read)) return read
  const isEmpty = read === undefined || read === null || read === '' || (Array.isArray(read) && read.length === 0)
  return isEmpty ? {} : { input: read ?? '' }
}

const parseJsonOrUndefined = (json: string): Json | undefined => {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** The texts of `[{ type: 'text', text }]`, the format of models and MCP servers. */
export const blockTexts = (blocks: readonly Json[]): readonly string[] =>
  blocks.flatMap(block => (isObject(block) && typeof block.text === 'string' ? [block.text] : []))

/** A result's `llmContent`: what the model reads, as a string or as parts. */
export const modelTextOf = ({ llmContent }: JsonObject): string => {
  if (typeof llmContent === 'string') return llmContent
  const blocks: readonly Json[] = Array.isArray(llmContent) ? llmContent : llmContent === undefined ? [] : [llmContent]
  return blocks.map(block => (typeof block === 'string' ? block : blockTexts([block]).join(''))).join('\n')
}

/** Token usage from `{ usage: { input_tokens, output_tokens }, model }`. */
export const tokenUsageOf = (result: JsonObject): TokenUsage | undefined => {
  const { input_tokens: input, output_tokens: output } = objectField(result, 'usage')
  if (typeof input !== 'number' || typeof output !== 'number') return undefined
  const model = stringField(result, 'resolvedModel') ?? stringField(result, 'model')
  return { input, output, ...(model !== undefined && { model }) }
}
