import type { JsonObject } from '../pattern/index.ts'
import { asEvents, asJson, type Dialect, type Message } from './dialect.ts'
import { listOf, objectOf, stringOf, textOf } from './shape.ts'

/** OpenAI chat completions. */
export const chat: Dialect = {
  read(path, body) {
    if (!/\/chat\/completions$/.test(path)) return undefined
    const messages = listOf(body.messages)
    const isSystem = ({ role }: JsonObject) => role === 'system' || role === 'developer'
    return {
      system: textOf(messages.filter(isSystem).map(contentOf)),
      messages: messages.filter(one => !isSystem(one)).map(message),
      tools: listOf(body.tools).map(one => stringOf(objectOf(one.function).name)),
    }
  },

  write(answer, { id, body }) {
    const call = 'tool' in answer && {
      id: answer.id ?? `call_${id}`,
      type: 'function',
      function: { name: answer.tool, arguments: JSON.stringify(answer.input) },
    }
    const finish_reason = call ? 'tool_calls' : 'stop'
    const head = { id: `chatcmpl-${id}`, created: 1, model: stringOf(body.model) }
    const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 }
    const said: JsonObject = { role: 'assistant', content: 'text' in answer ? answer.text : null }
    if (body.stream !== true) {
      const message = { ...said, ...(call && { tool_calls: [call] }) }
      return asJson({ ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage })
    }
    const chunk = (delta: JsonObject, finish_reason: string | null): JsonObject => ({
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason }],
    })
    const delta = { ...said, ...(call && { tool_calls: [{ index: 0, ...call }] }) }
    return asEvents([chunk(delta, null), { ...chunk({}, finish_reason), usage }], {
      named: false,
      end: 'data: [DONE]\n\n',
    })
  },

  beside: () => ({ object: 'list', data: [] }),
}

function message(one: JsonObject): Message {
  const text = contentOf(one)
  if (one.role === 'tool') return { role: 'user', text: '', results: text }
  return { role: one.role === 'assistant' ? 'assistant' : 'user', text, results: '' }
}

const contentOf = ({ content }: JsonObject): string =>
  typeof content === 'string' ? content : textOf(listOf(content).map(({ text }) => stringOf(text)))
