import { isObject, type Json, type JsonObject } from '../pattern/index.ts'
import type { Spent } from './client.ts'

/** Tolerant readers of wire objects: a value of another type reads as missing. An empty string says nothing either. */
export const text = (from: JsonObject, key: string): string | undefined => {
  const value = from[key]
  return typeof value === 'string' && value !== '' ? value : undefined
}

export const flag = (from: JsonObject, key: string): boolean | undefined => {
  const value = from[key]
  return typeof value === 'boolean' ? value : undefined
}

export const count = (from: JsonObject, key: string): number => {
  const value = from[key]
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : 0
}

export const object = (from: JsonObject, key: string): JsonObject => {
  const value = from[key]
  return isObject(value) ? value : {}
}

/** The name of the tool that is called; agents that run the hooks of another one may write the field as they do. */
export const toolOf = (payload: JsonObject): string | undefined =>
  text(payload, 'tool_name') ?? text(payload, 'toolName')

/** What it is called with: an object, or one as JSON in a text. */
export const inputOf = (payload: JsonObject): JsonObject => {
  const value = payload.tool_input ?? payload.toolInput ?? payload.tool_args ?? payload.toolArgs
  if (isObject(value)) return value
  if (typeof value !== 'string') return {}
  try {
    const parsed: unknown = JSON.parse(value)
    return isObject(parsed) ? parsed : {}
  } catch {
    return {}
  }
}

/** The texts of `[{ type: 'text', text }]`, the form models and MCP servers answer in. */
export const blockTexts = (blocks: readonly Json[]): readonly string[] =>
  blocks.flatMap(block => (isObject(block) && typeof block.text === 'string' ? [block.text] : []))

/** A result's `llmContent`: what the model reads, a string or parts of one. */
export const wordsForModel = ({ llmContent }: JsonObject): string => {
  if (typeof llmContent === 'string') return llmContent
  const blocks: readonly Json[] = Array.isArray(llmContent) ? llmContent : llmContent === undefined ? [] : [llmContent]
  return blocks.map(block => (typeof block === 'string' ? block : blockTexts([block]).join(''))).join('\n')
}

/** `{ usage: { input_tokens, output_tokens }, model }`, as models tell it. */
export const spentOf = (result: JsonObject): Spent | undefined => {
  const { input_tokens: input, output_tokens: output } = object(result, 'usage')
  if (typeof input !== 'number' || typeof output !== 'number') return undefined
  const model = text(result, 'resolvedModel') ?? text(result, 'model')
  return { input, output, ...(model !== undefined && { model }) }
}
