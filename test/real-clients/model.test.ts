import { afterAll, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../src/lib/json.ts'
import { FakeLlm, messageAfterTurn } from '../../src/testing/fake-llm/index.ts'

const model = await FakeLlm.start(({ part, turn }) =>
  turn === 0 ? { tool: 'write', input: { path: 'a' } } : { text: `${part} is done` },
)
afterAll(() => model.stop())

const ask = async (path: string, body: JsonObject): Promise<string> =>
  (await fetch(`${model.url}${path}`, { method: 'POST', body: JSON.stringify(body) })).text()

const PROMPT = 'Play. [[play main.1]]'

/** The same conversation in each protocol: a prompt; the prompt, a call and its result. */
const PROTOCOLS: Readonly<
  Record<string, { path: string; body: (said: readonly Json[]) => JsonObject; said: Json[][] }>
> = {
  anthropic: {
    path: '/v1/messages',
    body: messages => ({ stream: true, tools: [{ name: 'write' }], messages: [...messages] }),
    said: [
      [{ role: 'user', content: PROMPT }],
      [
        { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'write', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: '1', content: 'refused' }] },
      ],
    ],
  },
  gemini: {
    path: '/v1beta/models/m:streamGenerateContent?alt=sse',
    body: contents => ({ tools: [{ functionDeclarations: [{ name: 'write' }] }], contents: [...contents] }),
    said: [
      [{ role: 'user', parts: [{ text: PROMPT }] }],
      [
        { role: 'model', parts: [{ functionCall: { name: 'write', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'write', response: { error: 'refused' } } }] },
      ],
    ],
  },
  responses: {
    path: '/v1/responses',
    body: input => ({ stream: true, tools: [{ type: 'function', name: 'write' }], input: [...input] }),
    said: [
      [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: PROMPT }] }],
      [
        { type: 'function_call', call_id: '1', name: 'write', arguments: '{}' },
        { type: 'function_call_output', call_id: '1', output: 'refused' },
      ],
    ],
  },
  chat: {
    path: '/v1/chat/completions',
    body: messages => ({
      stream: true,
      tools: [{ type: 'function', function: { name: 'write' } }],
      messages: [...messages],
    }),
    said: [
      [{ role: 'user', content: PROMPT }],
      [
        { role: 'assistant', content: null, tool_calls: [] },
        { role: 'tool', tool_call_id: '1', content: 'refused' },
      ],
    ],
  },
}

describe.each(Object.entries(PROTOCOLS))('%s', (_, { path, body, said: [prompt = [], result = []] }) => {
  it('is played by what the request itself says', async () => {
    const first = await ask(path, body(prompt))
    expect(first).toContain('write')
    expect(await ask(path, body([...prompt, ...result]))).toContain('main.1 is done')
    // the same again is answered the same: nothing is remembered
    expect(nameless(await ask(path, body(prompt)))).toBe(nameless(first))
  })

  it('tells what the model was told', async () => {
    await ask(path, body([...prompt, ...result]))
    const asked = model.requests.at(-1)
    expect(asked?.place).toEqual({ part: 'main.1', turn: 1 })
    expect(asked && messageAfterTurn(asked, 0).results).toContain('refused')
  })

  it('plays nothing where no tools are on offer, or no part is named', async () => {
    expect(await ask(path, { ...body(prompt), tools: [] })).toContain('A plain answer.')
    expect(await ask(path, body(JSON.parse(JSON.stringify(prompt).replace('[[play main.1]]', ''))))).toContain(
      'A plain answer.',
    )
  })

  it('takes what is no JSON, or of another type, for empty', async () => {
    expect((await fetch(`${model.url}${path}`, { method: 'POST', body: '{' })).status).toBe(200)
    expect(await ask(path, { messages: 7, contents: 'x', input: null, tools: {} })).toContain('A plain answer.')
  })
})

it('counts tokens', async () => {
  expect(await ask('/v1/messages/count_tokens', {})).toContain('"input_tokens":10')
  expect(await ask('/v1beta/models/m:countTokens', {})).toContain('"totalTokens":10')
})

const nameless = (text: string): string => text.replace(/_\d{4}|-\d{4}/g, '')
