import type { JsonObject } from '../../lib/json.ts'
import { collectText, toObjectList, toStringOrEmpty } from './json-readers.ts'
import { type LlmMessage, type LlmProtocol, toEventStream, toJsonBody } from './protocol.ts'

/** Anthropic Messages. */
export const anthropicProtocol: LlmProtocol = {
  read: (path, body) =>
    /\/v1\/messages$/.test(path)
      ? {
          system: collectText(body.system),
          messages: toObjectList(body.messages).map(parseMessage),
          tools: toObjectList(body.tools).map(({ name }) => toStringOrEmpty(name)),
        }
      : undefined,

  write(answer, { id, body }) {
    const usage = { input_tokens: 10, output_tokens: 10 }
    const head = {
      id: `msg_${id}`,
      type: 'message',
      role: 'assistant',
      model: toStringOrEmpty(body.model),
      stop_sequence: null,
    }
    const block =
      'tool' in answer
        ? { type: 'tool_use', id: `toolu_${id}`, name: answer.tool, input: answer.input }
        : { type: 'text', text: answer.text }
    const stop = 'tool' in answer ? 'tool_use' : 'end_turn'
    if (body.stream !== true) return toJsonBody({ ...head, content: [block], stop_reason: stop, usage })
    const [start, delta]: JsonObject[] =
      'tool' in answer
        ? [
            { ...block, input: {} },
            { type: 'input_json_delta', partial_json: JSON.stringify(answer.input) },
          ]
        : [
            { ...block, text: '' },
            { type: 'text_delta', text: answer.text },
          ]
    return toEventStream(
      [
        { type: 'message_start', message: { ...head, content: [], stop_reason: null, usage } },
        { type: 'content_block_start', index: 0, content_block: start ?? {} },
        { type: 'content_block_delta', index: 0, delta: delta ?? {} },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 10 } },
        { type: 'message_stop' },
      ],
      { named: true },
    )
  },

  respondToOther: path => (path.endsWith('/count_tokens') ? { input_tokens: 10 } : {}),
}

function parseMessage({ role, content }: JsonObject): LlmMessage {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : toObjectList(content)
  const results = blocks.filter(({ type }) => type === 'tool_result')
  return {
    role: role === 'assistant' ? 'assistant' : 'user',
    text: collectText(blocks.filter(({ type }) => type === 'text').map(({ text }) => toStringOrEmpty(text))),
    results: collectText(results.map(({ content }) => content ?? '')),
  }
}
