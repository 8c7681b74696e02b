import type { JsonObject } from '../../lib/json.ts'
import { collectText, toObjectList, toStringOrEmpty } from './json-readers.ts'
import { type LlmMessage, type LlmProtocol, toEventStream, toJsonBody } from './protocol.ts'

/** Gemini's `generateContent`, streamed or not. */
export const geminiProtocol: LlmProtocol = {
  read: (path, body) =>
    /:(stream)?generateContent$/i.test(path)
      ? {
          system: collectText(body.systemInstruction),
          messages: toObjectList(body.contents).map(parseMessage),
          tools: toObjectList(body.tools).flatMap(({ functionDeclarations }) =>
            toObjectList(functionDeclarations).map(({ name }) => toStringOrEmpty(name)),
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
    return path.includes(':stream') ? toEventStream([reply], { named: false }) : toJsonBody(reply)
  },

  respondToOther: path => (path.endsWith(':countTokens') ? { totalTokens: 10 } : {}),
}

function parseMessage({ role, parts }: JsonObject): LlmMessage {
  const pieces = toObjectList(parts)
  return {
    role: role === 'model' ? 'assistant' : 'user',
    text: collectText(pieces.map(({ text }) => toStringOrEmpty(text))),
    results: collectText(pieces.map(({ functionResponse }) => functionResponse ?? '')),
  }
}
