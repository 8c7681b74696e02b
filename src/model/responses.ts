import type { JsonObject } from '../pattern/index.ts'
import { asEvents, asJson, type Dialect, type Message } from './dialect.ts'
import { listOf, stringOf, textOf } from './shape.ts'

/** OpenAI Responses. */
export const responses: Dialect = {
  read: (path, body) =>
    /\/responses$/.test(path)
      ? {
          system: stringOf(body.instructions),
          messages: listOf(body.input).flatMap(message),
          tools: listOf(body.tools).flatMap(({ name, type, tools }) => [
            stringOf(name) || stringOf(type),
            ...listOf(tools).map(one => `${stringOf(name)}.${stringOf(one.name)}`),
          ]),
        }
      : undefined,

  write(answer, { id, body }) {
    const item: JsonObject =
      'tool' in answer
        ? {
            type: 'function_call',
            id: `fc_${id}`,
            call_id: `call_${id}`,
            ...named(answer.tool),
            arguments: JSON.stringify(answer.input),
            status: 'completed',
          }
        : {
            type: 'message',
            id: `msg_${id}`,
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: answer.text, annotations: [] }],
          }
    const usage = {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 10,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 20,
    }
    const done = {
      id: `resp_${id}`,
      object: 'response',
      status: 'completed',
      model: stringOf(body.model),
      output: [item],
      usage,
    }
    if (body.stream !== true) return asJson(done)
    return asEvents(
      [
        { type: 'response.created', response: { ...done, status: 'in_progress', output: [] } },
        { type: 'response.output_item.added', output_index: 0, item },
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.completed', response: done },
      ],
      { named: true },
    )
  },

  beside: () => ({ object: 'list', data: [], models: [] }),
}

/** `space.tool` is a tool in a namespace. */
function named(tool: string): JsonObject {
  const [space, name] = tool.split('.')
  return name === undefined ? { name: tool } : { namespace: space ?? '', name }
}

function message(item: JsonObject): readonly Message[] {
  const { type, role, content, output } = item
  if (type === 'message' || role !== undefined)
    return [{ role: role === 'assistant' ? 'assistant' : 'user', text: textOf(contentOf(content)), results: '' }]
  if (type === 'function_call' || type === 'custom_tool_call') return [{ role: 'assistant', text: '', results: '' }]
  if (type === 'function_call_output' || type === 'custom_tool_call_output')
    return [{ role: 'user', text: '', results: textOf(output) }]
  return []
}

const contentOf = (content: JsonObject[string] | undefined) =>
  typeof content === 'string' ? content : listOf(content).map(({ text }) => stringOf(text))
