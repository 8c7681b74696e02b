import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '../pattern/index.ts'
import { anthropic } from './anthropic.ts'
import { chat } from './chat.ts'
import type { Answer, Asked, Dialect } from './dialect.ts'
import { gemini } from './gemini.ts'
import { responses } from './responses.ts'
import { type Place, placeOf } from './script.ts'

const DIALECTS: Readonly<Record<string, Dialect>> = { anthropic, gemini, responses, chat }

/** A request that asked for an answer, and where in the script it stands. */
export interface Heard extends Asked {
  readonly place: Place | undefined
}

/**
 * A model on loopback that plays a script, in four protocols. It keeps no state: each request says by its own messages
 * where in the script it stands, so that retries, titles and agents that run at once cannot confuse it.
 */
export class ScriptedModel {
  /** requests for an answer, in order */
  readonly heard: Heard[] = []
  /** every path that was asked for */
  readonly paths: string[] = []
  private constructor(private readonly server: Server) {}

  static async start(script: (place: Place, asked: Asked) => Answer): Promise<ScriptedModel> {
    const server = createServer((request, response) => {
      const path = (request.url ?? '').replace(/\?.*/, '')
      bodyOf(request).then(body => {
        const { type, body: text } = model.answer(path, body, script)
        response.writeHead(200, { 'content-type': type, 'request-id': 'req_1' }).end(text)
      })
    })
    const model = new ScriptedModel(server)
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

  private answer(path: string, body: JsonObject, script: (place: Place, asked: Asked) => Answer) {
    this.paths.push(path)
    for (const dialect of Object.values(DIALECTS)) {
      const asked = dialect.read(path, body)
      if (!asked) continue
      // titles and probes offer no tools: they are no part of the play
      const place = asked.tools.length > 0 ? placeOf(asked) : undefined
      this.heard.push({ ...asked, place })
      const answer = place ? script(place, asked) : { text: 'A plain answer.' }
      return dialect.write(answer, { id: `${this.heard.length}`.padStart(4, '0'), path, body })
    }
    const beside = Object.values(DIALECTS).map(dialect => dialect.beside(path))
    return { type: 'application/json', body: JSON.stringify(Object.assign({}, ...beside)) } as const
  }
}

async function bodyOf(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as JsonObject
  } catch {
    return {}
  }
}
