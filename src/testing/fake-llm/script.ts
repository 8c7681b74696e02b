import type { LlmMessage, LlmRequest } from './protocol.ts'

/** Where a request stands: in whose part, and how many answers it has had. */
export interface ScriptPosition {
  /** `main`, or the agent that its second step spawned: `main.1` */
  readonly part: string
  readonly turn: number
}

const SCRIPT_MARK = /\[\[play (main[.\d]*)\]\]/g

/** A prompt with which a part begins. */
export const scriptMarkOf = (part: string): string => `[[play ${part}]]`

/** By the last mark that a person's words carry, and the answers that were given since. */
export function scriptPositionOf(asked: LlmRequest): ScriptPosition | undefined {
  const begin = findScriptStart(asked.messages)
  const part = begin && [...begin.message.text.matchAll(SCRIPT_MARK)].at(-1)?.[1]
  if (!begin || part === undefined) return undefined
  const since = asked.messages.slice(begin.at + 1)
  return { part, turn: since.filter(({ role }) => role === 'assistant').length }
}

/** What the model was told after it had given its nth answer: by the tool, and beside it. */
export function messageAfterTurn({ messages }: LlmRequest, turn: number): LlmMessage {
  const since = messages.slice((findScriptStart(messages)?.at ?? -1) + 1)
  const answers = since.flatMap(({ role }, at) => (role === 'assistant' ? [at] : []))
  const told = since.slice((answers[turn] ?? since.length) + 1, answers[turn + 1])
  return {
    role: 'user',
    text: told.map(({ text }) => text).join('\n'),
    results: told.map(({ results }) => results).join('\n'),
  }
}

function findScriptStart(messages: readonly LlmMessage[]): { at: number; message: LlmMessage } | undefined {
  const at = messages.findLastIndex(({ role, text }) => role === 'user' && text.search(SCRIPT_MARK) >= 0)
  const message = messages[at]
  return message && { at, message }
}
