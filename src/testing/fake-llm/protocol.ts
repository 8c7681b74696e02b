import type { JsonObject } from '../../lib/json.ts'

/** One message of a request. Tool results are separate from texts of people and hooks. */
export interface LlmMessage {
  readonly role: 'user' | 'assistant'
  readonly text: string
  /** texts of tool results */
  readonly results: string
}

/** A completion request, independent of the protocol. */
export interface LlmRequest {
  readonly system: string
  readonly messages: readonly LlmMessage[]
  /** names of the offered tools */
  readonly tools: readonly string[]
}

export type LlmAnswer = { readonly text: string } | LlmToolCall

export interface LlmToolCall {
  readonly tool: string
  readonly input: JsonObject
  /** call id in the format of another chat completions server */
  readonly id?: string
}

/** A model API: parses its requests and writes answers. */
export interface LlmProtocol {
  /** undefined if it is not a completion request */
  read(path: string, body: JsonObject): LlmRequest | undefined
  write(
    answer: LlmAnswer,
    call: { readonly id: string; readonly path: string; readonly body: JsonObject },
  ): ResponseBody
  /** response to other requests: token counts, model lists */
  respondToOther(path: string): JsonObject
}

export interface ResponseBody {
  readonly type: 'application/json' | 'text/event-stream'
  readonly body: string
}

export const toJsonBody = (value: unknown): ResponseBody => ({ type: 'application/json', body: JSON.stringify(value) })

/** Server-sent events; with `named`, each has an `event:` line with its type. */
export const toEventStream = (
  events: readonly JsonObject[],
  { named, end = '' }: { named: boolean; end?: string },
): ResponseBody => ({
  type: 'text/event-stream',
  body:
    events.map(event => `${named ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`).join('') + end,
})
