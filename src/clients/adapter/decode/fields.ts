import { isObject, type Json, type JsonObject } from '../../../lib/json.ts'
import type { TokenUsage } from '../../client.ts'

/** Tolerant readers of wire objects: a value of another type reads as missing. An empty string says nothing either. */
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

/** The name of the tool that is called; agents that run the hooks of another one may write the field as they do. */
export const toolNameOf = (payload: JsonObject): string | undefined =>
  stringField(payload, 'tool_name') ?? stringField(payload, 'toolName')

/** What it is called with, under any of the names agents have for it. */
export const toolInputOf = (payload: JsonObject): JsonObject =>
  toToolInput(
    ['tool_input', 'toolInput', 'tool_args', 'toolArgs', 'arguments', 'parameters', 'args', 'params', 'input']
      .map(name => payload[name])
      .find(value => value !== undefined && value !== null),
  )

const MAX_JSON_NESTING = 4

/** An object, or one as JSON in a text; whatever else a call brings is a field of one. */
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

/** The texts of `[{ type: 'text', text }]`, the form models and MCP servers answer in. */
export const blockTexts = (blocks: readonly Json[]): readonly string[] =>
  blocks.flatMap(block => (isObject(block) && typeof block.text === 'string' ? [block.text] : []))

/** A result's `llmContent`: what the model reads, a string or parts of one. */
export const modelTextOf = ({ llmContent }: JsonObject): string => {
  if (typeof llmContent === 'string') return llmContent
  const blocks: readonly Json[] = Array.isArray(llmContent) ? llmContent : llmContent === undefined ? [] : [llmContent]
  return blocks.map(block => (typeof block === 'string' ? block : blockTexts([block]).join(''))).join('\n')
}

/** `{ usage: { input_tokens, output_tokens }, model }`, as models tell it. */
export const tokenUsageOf = (result: JsonObject): TokenUsage | undefined => {
  const { input_tokens: input, output_tokens: output } = objectField(result, 'usage')
  if (typeof input !== 'number' || typeof output !== 'number') return undefined
  const model = stringField(result, 'resolvedModel') ?? stringField(result, 'model')
  return { input, output, ...(model !== undefined && { model }) }
}
