import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '../../lib/json.ts'
import { anthropicProtocol } from './anthropic.ts'
import { chatProtocol } from './chat.ts'
import { geminiProtocol } from './gemini.ts'
import type { LlmAnswer, LlmProtocol, LlmRequest } from './protocol.ts'
import { responsesProtocol } from './responses.ts'
import { type ScriptPosition, scriptPositionOf } from './script.ts'

const PROTOCOLS: Readonly<Record<string, LlmProtocol>> = {
  anthropic: anthropicProtocol,
  gemini: geminiProtocol,
  responses: responsesProtocol,
  chat: chatProtocol,
}

/** A completion request and its position in the script. */
export interface ReceivedRequest extends LlmRequest {
  readonly place: ScriptPosition | undefined
}

/**
 * A fake model on loopback that plays a script, in four protocols. It keeps no script state: the messages of each request show
 * its position, so that retries, title requests and concurrent agents cannot confuse it.
 */
export class FakeLlm {
  /** completion requests, in order */
  readonly requests: ReceivedRequest[] = []
  /** all requested paths */
  readonly paths: string[] = []
  private constructor(private readonly server: Server) {}

  static async start(script: (position: ScriptPosition, request: LlmRequest) => LlmAnswer): Promise<FakeLlm> {
    const server = createServer((request, response) => {
      const path = (request.url ?? '').replace(/\?.*/, '')
      readJsonBody(request).then(body => {
        const { type, body: text } = model.answer(path, body, script)
        response.writeHead(200, { 'content-type': type, 'request-id': 'req_1' }).end(text)
      })
    })
    const model = new FakeLlm(server)
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    return model
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise(done => this.server.close(done))
  }

  private answer(path: string, body: JsonObject, script: (position: ScriptPosition, request: LlmRequest) => LlmAnswer) {
    this.paths.push(path)
    for (const dialect of Object.values(PROTOCOLS)) {
      const request = dialect.read(path, body)
      if (!request) continue
      // Title requests and probes offer no tools: they are not part of the script.
      const position = request.tools.length > 0 ? scriptPositionOf(request) : undefined
      this.requests.push({ ...request, place: position })
      const answer = position ? script(position, request) : { text: 'A plain answer.' }
      return dialect.write(answer, { id: `${this.requests.length}`.padStart(4, '0'), path, body })
    }
    const beside = Object.values(PROTOCOLS).map(dialect => dialect.respondToOther(path))
    return { type: 'application/json', body: JSON.stringify(Object.assign({}, ...beside)) } as const
  }
}

async function readJsonBody(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as JsonObject
  } catch {
    return {}
  }
}
