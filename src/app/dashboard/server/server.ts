import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { messageOf } from '../../../lib/errors.ts'
import type { ApiProblem, LoginReply } from '../api.ts'
import { RecordArchive } from '../archive.ts'
import type { DashboardBackend } from '../backend.ts'
import { parseDecisionFilter } from '../pages/decisions.ts'
import { ApiRoutes } from './api-routes.ts'
import { DecisionStreams } from './decision-stream.ts'
import { HttpError } from './http-error.ts'
import { LoginKeys } from './login-keys.ts'
import { QueryParameters } from './query.ts'
import { readJsonBody } from './request-body.ts'
import { checkRequestOrigin, SECURITY_HEADERS } from './request-guard.ts'
import { StaticFiles } from './static-files.ts'

export interface DashboardOptions {
  readonly state: string
  readonly desk: DashboardBackend
  /** the folder of the built pages */
  readonly pages: string
  /** called with each new token */
  readonly tokenChanged: (token: string) => void
  /** called with the number of open streams */
  readonly pagesChanged: (pages: number) => void
}

const MAX_CONNECTIONS = 256
const TIMEOUTS = {
  headersTimeout: 5000,
  requestTimeout: 10_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 2000,
}
const MAX_HEADER_BYTES = 16 << 10
const MAX_PATH = 4096
/** indexing and counting between requests; starts after the first page is served */
const BACKGROUND_WORK = { firstMs: 1500, workMs: 40, pauseMs: 5, restMs: 5000 }

/** The dashboard server on loopback. It only reads, and runs in its own process, apart from the hooks. */
export class DashboardServer {
  /** the time of the last request, by `performance.now()` */
  lastAt = performance.now()
  readonly #http: Server
  readonly #archive: RecordArchive
  readonly #routes: ApiRoutes
  readonly #streams: DecisionStreams
  readonly #files: StaticFiles
  readonly #keys: LoginKeys
  #port = 0
  #tidy: NodeJS.Timeout | undefined

  constructor(serving: DashboardOptions) {
    this.#archive = new RecordArchive(serving.state)
    this.#routes = new ApiRoutes(this.#archive, serving.desk)
    this.#streams = new DecisionStreams(this.#archive, serving.pagesChanged)
    this.#files = new StaticFiles(serving.pages)
    this.#keys = new LoginKeys(serving.tokenChanged)
    const options = { ...TIMEOUTS, maxHeaderSize: MAX_HEADER_BYTES, noDelay: true }
    this.#http = createServer(options, (request, response) => void this.#answer(request, response))
    this.#http.maxConnections = MAX_CONNECTIONS
    this.#http.on('clientError', (_, socket) => {
      const said = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'
      // a client that does not hang up would keep a connection slot
      if (socket.writable) socket.end(said, () => socket.destroy())
      else socket.destroy()
    })
  }

  get token(): string {
    return this.#keys.token
  }

  get pages(): number {
    return this.#streams.size
  }

  /** Listens only on 127.0.0.1, because `localhost` may resolve to something else. Returns the port; 0 means any. */
  listen(port: number): Promise<number> {
    return new Promise((done, fail) => {
      const failed = (error: Error): void => {
        this.#http.off('listening', listening)
        fail(error)
      }
      const listening = (): void => {
        this.#http.off('error', failed)
        const address = this.#http.address()
        this.#port = typeof address === 'object' && address ? address.port : port
        this.#keepTidy(BACKGROUND_WORK.firstMs)
        done(this.#port)
      }
      this.#http.once('error', failed).once('listening', listening).listen({ host: '127.0.0.1', port })
    })
  }

  end(): void {
    clearTimeout(this.#tidy)
    this.#streams.end()
    this.#http.close()
    this.#http.closeAllConnections()
    this.#archive.close()
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => response.destroy())
    try {
      const { method = '', url = '/', headers, rawHeaders } = request
      if (url.length > MAX_PATH) throw new HttpError(414, 'the URL is too long')
      const { pathname: path, searchParams } = parseRequestUrl(url)
      checkRequestOrigin({ method, path, headers, rawHeaders }, this.#port)
      this.lastAt = performance.now()
      if (path.startsWith('/api/') || path === '/api')
        await this.#api(request, response, path, new QueryParameters(searchParams))
      else this.#page(request, response, path)
    } catch (error) {
      sendError(response, error)
      request.resume()
    }
  }

  #page({ method, headers }: IncomingMessage, response: ServerResponse, path: string): void {
    if (method !== 'GET' && method !== 'HEAD') throw new HttpError(405, 'only GET is allowed')
    const asset = this.#files.find(path)
    if (!asset) throw new HttpError(404, 'no such file')
    const isZipped = asset.zipped !== undefined && /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))
    const bytes = isZipped && asset.zipped ? asset.zipped : asset.bytes
    response.writeHead(200, {
      ...SECURITY_HEADERS,
      'Content-Type': asset.type,
      'Content-Length': bytes.length,
      'Cache-Control': asset.lasts ? 'private, max-age=31536000, immutable' : 'no-cache',
      ...(isZipped && { 'Content-Encoding': 'gzip' }),
      Vary: 'Accept-Encoding',
    })
    response.end(method === 'HEAD' ? undefined : bytes)
  }

  async #api(request: IncomingMessage, response: ServerResponse, path: string, query: QueryParameters): Promise<void> {
    const { method = '' } = request
    const parts = path.slice('/api/'.length).split('/').map(decodePathPart)
    const [first = ''] = parts
    if (method === 'POST' && first === 'login' && parts.length === 1) {
      this.#login(await readJsonBody(request), response)
      return
    }
    this.#checkLogin(request, query)
    if (method === 'GET' && first === 'stream' && parts.length === 1) return this.#stream(request, response, query)
    if (method !== 'GET' && method !== 'POST') throw new HttpError(405, 'only GET and POST are allowed')
    const body = method === 'POST' ? await readJsonBody(request) : undefined
    sendJson(response, 200, this.#routes.answer({ method, parts, query, body }))
  }

  #login(body: unknown, response: ServerResponse): void {
    const token = typeof body === 'object' && body !== null && 'token' in body ? body.token : undefined
    const login = typeof token === 'string' ? this.#keys.login(token) : undefined
    if (!login) throw new HttpError(401, 'the login token is wrong or already used', 'run `signalbox ui` again')
    const cookie = `${this.#cookie}=${login.cookie}; HttpOnly; SameSite=Strict; Path=/api/`
    const told: LoginReply = { key: login.key }
    sendJson(response, 200, told, { 'Set-Cookie': cookie })
  }

  /** Cookies are shared by all ports, so the name contains the port: two dashboards must not overwrite each other's cookie. */
  get #cookie(): string {
    return `signalbox-${this.#port}`
  }

  #checkLogin({ headers }: IncomingMessage, query: QueryParameters): void {
    const [, cookie = ''] = new RegExp(`(?:^|;\\s*)${this.#cookie}=([\\w-]+)`).exec(headers.cookie ?? '') ?? []
    const said = headers['x-signalbox-key'] ?? query.text('key') ?? ''
    if (!this.#keys.isKnown(cookie, String(said)))
      throw new HttpError(401, 'not logged in', 'run `signalbox ui` in a terminal and open the URL it prints')
  }

  #stream({ headers }: IncomingMessage, response: ServerResponse, query: QueryParameters): void {
    const asked = parseDecisionFilter(query, Date.now())
    const id = String(headers['last-event-id'] ?? query.text('after') ?? '')
    const after = /^\d{1,15}$/.test(id) ? Number(id) : undefined
    this.#streams.check()
    response.writeHead(200, {
      ...SECURITY_HEADERS,
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
    })
    this.#streams.add(response, asked, after)
  }

  #keepTidy(ms: number): void {
    this.#tidy = setTimeout(() => {
      let isDone = true
      try {
        isDone = this.#archive.tidy(BACKGROUND_WORK.workMs)
      } catch {
        // requests report why the audit log cannot be read
      }
      this.#keepTidy(isDone ? BACKGROUND_WORK.restMs : BACKGROUND_WORK.pauseMs)
    }, ms).unref()
  }
}

function parseRequestUrl(url: string): URL {
  try {
    return new URL(url, 'http://127.0.0.1')
  } catch {
    throw new HttpError(400, 'malformed URL')
  }
}

function decodePathPart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new HttpError(400, 'malformed URL')
  }
}

function sendError(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const { status, help } = error instanceof HttpError ? error : { status: 500, help: undefined }
  const problem: ApiProblem = { error: messageOf(error), ...(help !== undefined && { help }) }
  sendJson(response, status, problem, status === 413 ? { Connection: 'close' } : {})
}

function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const bytes = Buffer.from(JSON.stringify(value))
  response.writeHead(status, {
    ...SECURITY_HEADERS,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes.length,
    'Cache-Control': 'no-store',
    ...headers,
  })
  response.end(bytes)
}
