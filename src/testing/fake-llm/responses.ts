import type { JsonObject } from '../../lib/json.ts'
import { collectText, toObjectList, toStringOrEmpty } from './json-readers.ts'
import { type LlmMessage, type LlmProtocol, toEventStream, toJsonBody } from './protocol.ts'

/** OpenAI Responses. */
export const responsesProtocol: LlmProtocol = {
  read: (path, body) =>
    /\/responses$/.test(path)
      ? {
          system: toStringOrEmpty(body.instructions),
          messages: toObjectList(body.input).flatMap(parseMessages),
          tools: toObjectList(body.tools).flatMap(({ name, type, tools }) => [
            toStringOrEmpty(name) || toStringOrEmpty(type),
            ...toObjectList(tools).map(value => `${toStringOrEmpty(name)}.${toStringOrEmpty(value.name)}`),
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
            ...namespacedName(answer.tool),
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
      model: toStringOrEmpty(body.model),
      output: [item],
      usage,
    }
    if (body.stream !== true) return toJsonBody(done)
    return toEventStream(
      [
        { type: 'response.created', response: { ...done, status: 'in_progress', output: [] } },
        { type: 'response.output_item.added', output_index: 0, item },
        { type: 'response.output_item.done', output_index: 0, item },
        { type: 'response.completed', response: done },
      ],
      { named: true },
    )
  },

  respondToOther: () => ({ object: 'list', data: [], models: [] }),
}

/** `space.tool` is a tool in a namespace. */
function namespacedName(tool: string): JsonObject {
  const [space, name] = tool.split('.')
  return name === undefined ? { name: tool } : { namespace: space ?? '', name }
}

function parseMessages(item: JsonObject): readonly LlmMessage[] {
  const { type, role, content, output } = item
  if (type === 'message' || role !== undefined)
    return [
      { role: role === 'assistant' ? 'assistant' : 'user', text: collectText(contentTexts(content)), results: '' },
    ]
  if (type === 'function_call' || type === 'custom_tool_call') return [{ role: 'assistant', text: '', results: '' }]
  if (type === 'function_call_output' || type === 'custom_tool_call_output')
    return [{ role: 'user', text: '', results: collectText(output) }]
  return []
}

const contentTexts = (content: JsonObject[string] | undefined) =>
  typeof content === 'string' ? content : toObjectList(content).map(({ text }) => toStringOrEmpty(text))
