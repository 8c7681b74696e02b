import type { LlmMessage, LlmRequest } from './protocol.ts'

/** Position of a request in the script: the part and the number of answers given in it. */
export interface ScriptPosition {
  /** `main`, or an agent that it spawned: `main.1` is the agent of its second step */
  readonly part: string
  readonly turn: number
}

const SCRIPT_MARK = /\[\[play (main[.\d]*)\]\]/g

/** The mark in a prompt that starts a part. */
export const scriptMarkOf = (part: string): string => `[[play ${part}]]`

/** Found by the last mark in a user message and the number of answers since then. */
export function scriptPositionOf(request: LlmRequest): ScriptPosition | undefined {
  const begin = findScriptStart(request.messages)
  const part = begin && [...begin.message.text.matchAll(SCRIPT_MARK)].at(-1)?.[1]
  if (!begin || part === undefined) return undefined
  const since = request.messages.slice(begin.at + 1)
  return { part, turn: since.filter(({ role }) => role === 'assistant').length }
}

/** What the model received after its answer number `turn`: tool results and other text. */
export function messageAfterTurn({ messages }: LlmRequest, turn: number): LlmMessage {
  const since = messages.slice((findScriptStart(messages)?.at ?? -1) + 1)
  const answers = since.flatMap(({ role }, at) => (role === 'assistant' ? [at] : []))
  const received = since.slice((answers[turn] ?? since.length) + 1, answers[turn + 1])
  return {
    role: 'user',
    text: received.map(({ text }) => text).join('\n'),
    results: received.map(({ results }) => results).join('\n'),
  }
}

function findScriptStart(messages: readonly LlmMessage[]): { at: number; message: LlmMessage } | undefined {
  const at = messages.findLastIndex(({ role, text }) => role === 'user' && text.search(SCRIPT_MARK) >= 0)
  const message = messages[at]
  return message && { at, message }
}
