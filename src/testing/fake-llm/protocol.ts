import type { JsonObject } from '../../lib/json.ts'

/** One message of a request. What tools said is kept apart from what people and hooks said. */
export interface LlmMessage {
  readonly role: 'user' | 'assistant'
  readonly text: string
  /** what tools answered */
  readonly results: string
}

/** A request for an answer, whatever the protocol. */
export interface LlmRequest {
  readonly system: string
  readonly messages: readonly LlmMessage[]
  /** names of the tools on offer */
  readonly tools: readonly string[]
}

export type LlmAnswer = { readonly text: string } | LlmToolCall

export interface LlmToolCall {
  readonly tool: string
  readonly input: JsonObject
  /** in the form of another server of chat completions */
  readonly id?: string
}

/** One protocol of models: how its requests read, and how an answer is written. */
export interface LlmProtocol {
  /** undefined: no request for an answer */
  read(path: string, body: JsonObject): LlmRequest | undefined
  write(
    answer: LlmAnswer,
    call: { readonly id: string; readonly path: string; readonly body: JsonObject },
  ): ResponseBody
  /** what is said to a request that asks for no answer: counts of tokens, lists of models */
  beside(path: string): JsonObject
}

export interface ResponseBody {
  readonly type: 'application/json' | 'text/event-stream'
  readonly body: string
}

export const toJsonBody = (value: unknown): ResponseBody => ({ type: 'application/json', body: JSON.stringify(value) })

/** Events as they are streamed; with `named`, each also says what it is. */
export const toEventStream = (
  events: readonly JsonObject[],
  { named, end = '' }: { named: boolean; end?: string },
): ResponseBody => ({
  type: 'text/event-stream',
  body: events.map(one => `${named ? `event: ${one.type}\n` : ''}data: ${JSON.stringify(one)}\n\n`).join('') + end,
})
