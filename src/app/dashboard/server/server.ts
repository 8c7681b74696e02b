import { createServer, type Server } from 'node:http'
import { getRequestListener, RequestError } from '@hono/node-server'
import { DashboardRecords } from '../archive.ts'
import type { DashboardBackend } from '../backend.ts'
import { createDashboardApp, errorResponse } from './app.ts'
import { DecisionStreams } from './decision-stream.ts'
import { HttpError } from './http-error.ts'
import { LoginKeys } from './login-keys.ts'
import { StaticFiles } from './static-files.ts'

export interface DashboardOptions {
  readonly state: string
  readonly backend: DashboardBackend
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
/** indexing and counting between requests; starts after the first page is served */
const BACKGROUND_WORK = { firstMs: 1500, workMs: 40, pauseMs: 5, restMs: 5000 }

/** The dashboard server on loopback. It only reads, and runs in its own process, apart from the hooks. */
export class DashboardServer {
  /** the time of the last request, by `performance.now()` */
  lastAt = performance.now()
  readonly #http: Server
  readonly #archive: DashboardRecords
  readonly #streams: DecisionStreams
  readonly #keys: LoginKeys
  #port = 0
  #tidy: NodeJS.Timeout | undefined

  constructor(serving: DashboardOptions) {
    this.#archive = new DashboardRecords(serving.state)
    this.#streams = new DecisionStreams(this.#archive, serving.pagesChanged)
    this.#keys = new LoginKeys(serving.tokenChanged)
    const app = createDashboardApp({
      archive: this.#archive,
      backend: serving.backend,
      streams: this.#streams,
      files: new StaticFiles(serving.pages),
      keys: this.#keys,
      port: () => this.#port,
      used: () => {
        this.lastAt = performance.now()
      },
    })
    const listener = getRequestListener(app.fetch, {
      overrideGlobalObjects: false,
      errorHandler: error => errorResponse(error instanceof RequestError ? new HttpError(400, 'malformed URL') : error),
    })
    const options = { ...TIMEOUTS, maxHeaderSize: MAX_HEADER_BYTES, noDelay: true }
    this.#http = createServer(options, listener)
    this.#http.maxConnections = MAX_CONNECTIONS
    this.#http.on('clientError', (_, socket) => {
      const response = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'
      // a client that does not hang up would keep a connection slot
      if (socket.writable) socket.end(response, () => socket.destroy())
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
