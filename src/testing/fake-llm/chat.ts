import type { JsonObject } from '../../lib/json.ts'
import { collectText, toObject, toObjectList, toStringOrEmpty } from './json-readers.ts'
import { type LlmMessage, type LlmProtocol, toEventStream, toJsonBody } from './protocol.ts'

/** OpenAI chat completions. */
export const chatProtocol: LlmProtocol = {
  read(path, body) {
    if (!/\/chat\/completions$/.test(path)) return undefined
    const messages = toObjectList(body.messages)
    const isSystem = ({ role }: JsonObject) => role === 'system' || role === 'developer'
    return {
      system: collectText(messages.filter(isSystem).map(contentText)),
      messages: messages.filter(message => !isSystem(message)).map(parseMessage),
      tools: toObjectList(body.tools).map(value => toStringOrEmpty(toObject(value.function).name)),
    }
  },

  write(answer, { id, body }) {
    const call = 'tool' in answer && {
      id: answer.id ?? `call_${id}`,
      type: 'function',
      function: { name: answer.tool, arguments: JSON.stringify(answer.input) },
    }
    const finish_reason = call ? 'tool_calls' : 'stop'
    const head = { id: `chatcmpl-${id}`, created: 1, model: toStringOrEmpty(body.model) }
    const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 }
    const assistant: JsonObject = { role: 'assistant', content: 'text' in answer ? answer.text : null }
    if (body.stream !== true) {
      const message = { ...assistant, ...(call && { tool_calls: [call] }) }
      return toJsonBody({ ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage })
    }
    const chunk = (delta: JsonObject, finish_reason: string | null): JsonObject => ({
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason }],
    })
    const delta = { ...assistant, ...(call && { tool_calls: [{ index: 0, ...call }] }) }
    return toEventStream([chunk(delta, null), { ...chunk({}, finish_reason), usage }], {
      named: false,
      end: 'data: [DONE]\n\n',
    })
  },

  respondToOther: () => ({ object: 'list', data: [] }),
}

function parseMessage(value: JsonObject): LlmMessage {
  const text = contentText(value)
  if (value.role === 'tool') return { role: 'user', text: '', results: text }
  return { role: value.role === 'assistant' ? 'assistant' : 'user', text, results: '' }
}

const contentText = ({ content }: JsonObject): string =>
  typeof content === 'string' ? content : collectText(toObjectList(content).map(({ text }) => toStringOrEmpty(text)))
