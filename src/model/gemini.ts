import type { JsonObject } from '../pattern/index.ts'
import { asEvents, asJson, type Dialect, type Message } from './dialect.ts'
import { listOf, stringOf, textOf } from './shape.ts'

/** Gemini's `generateContent`, streamed or not. */
export const gemini: Dialect = {
  read: (path, body) =>
    /:(stream)?generateContent$/i.test(path)
      ? {
          system: textOf(body.systemInstruction),
          messages: listOf(body.contents).map(message),
          tools: listOf(body.tools).flatMap(({ functionDeclarations }) =>
            listOf(functionDeclarations).map(({ name }) => stringOf(name)),
          ),
        }
      : undefined,

  write(answer, { path }) {
    const part: JsonObject =
      'tool' in answer ? { functionCall: { name: answer.tool, args: answer.input } } : { text: answer.text }
    const reply = {
      candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 },
      modelVersion: 'gemini-2.5-pro',
    }
    return path.includes(':stream') ? asEvents([reply], { named: false }) : asJson(reply)
  },

  beside: path => (path.endsWith(':countTokens') ? { totalTokens: 10 } : {}),
}

function message({ role, parts }: JsonObject): Message {
  const pieces = listOf(parts)
  return {
    role: role === 'model' ? 'assistant' : 'user',
    text: textOf(pieces.map(({ text }) => stringOf(text))),
    results: textOf(pieces.map(({ functionResponse }) => functionResponse ?? '')),
  }
}
