import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'

/** The address of the metrics server: on this machine only. */
export interface MetricsAddress {
  readonly host: string
  readonly port: number
}

/** The state of the metrics server. */
export interface MetricsState {
  /** the setting as given */
  readonly setting: string
  readonly address?: string
  /** why it is not open; the daemon keeps trying */
  readonly problem?: string
  /** false without a problem: about to open */
  readonly isOpen: boolean
}

const OFF_WORDS = ['', 'off', '0', 'no', 'false']

/** Undefined: off. A string: why it is no address, or that other machines could reach it. */
export function parseMetricsAddress(text: string): MetricsAddress | string | undefined {
  const setting = text.trim().toLowerCase()
  if (OFF_WORDS.includes(setting)) return undefined
  const [, host = '', port = ''] = /^(?:(\S+):)?(\d{1,5})$/.exec(setting) ?? []
  const bare = host.replace(/^\[(.*)\]$/, '$1') || '127.0.0.1'
  if (port === '' || Number(port) > 65_535 || Number(port) === 0)
    return `\`${text}\` is not an address: write 127.0.0.1:9464, or off`
  if (!/^(127(\.\d{1,3}){3}|::1|localhost)$/.test(bare))
    return `\`${bare}\` can be reached from other machines: metrics are served only on 127.0.0.1, ::1 or localhost`
  return { host: bare, port: Number(port) }
}

const MAX_CONNECTIONS = 8
const HEADERS_MS = 2000
const REQUEST_MS = 5000
/** Allowed `Host` headers: a web page could point a name of its own at this machine (DNS rebinding). */
const LOCAL_HOST = /^(127(\.\d{1,3}){3}|localhost|\[::1\])(:\d{1,5})?$/i

/** Serves `GET /metrics`, and nothing else. */
export class MetricsServer {
  /** time of the last request, on the process's own clock */
  lastAt = Number.NEGATIVE_INFINITY
  #server: Server | undefined
  #at = ''
  #lastLogged = ''
  #state: MetricsState | undefined

  constructor(
    private readonly text: () => Promise<string>,
    private readonly log: (line: string) => void,
  ) {}

  /** Undefined: it is off. */
  get state(): MetricsState | undefined {
    return this.#state
  }

  /** Applies the setting. The same setting again changes nothing. */
  listenAt(setting: string): void {
    if (setting === this.#at) return
    this.#at = setting
    this.shut()
    const address = parseMetricsAddress(setting)
    if (typeof address === 'string') {
      this.log(`no metrics: ${address}`)
      this.#state = { setting, problem: address, isOpen: false }
    } else if (address) this.#listen(address, setting)
    else this.#state = undefined
  }

  shut(): void {
    this.#server?.close()
    this.#server?.closeAllConnections()
    this.#server = undefined
  }

  #listen({ host, port }: MetricsAddress, setting: string): void {
    const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}/metrics`
    // a setting that failed keeps its problem until it is open
    if (this.#state?.setting !== setting) this.#state = { setting, address, isOpen: false }
    // loaded lazily: it takes some megabytes
    const http: typeof import('node:http') = createRequire(import.meta.url)('node:http')
    const limits = { headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS, keepAliveTimeout: HEADERS_MS }
    const server = http.createServer({ ...limits, connectionsCheckingInterval: 1000 }, (request, response) => {
      void this.#answer(request, response)
    })
    server.maxConnections = MAX_CONNECTIONS
    server.on('error', error => {
      this.#logOnce(`no metrics at ${host}:${port}: ${error.message}`)
      if (this.#server === server) this.#state = { setting, address, problem: error.message, isOpen: false }
      // makes the next check try again
      if (this.#server === server) this.#at = ''
    })
    this.#server = server
    const opened = () => {
      this.log(`metrics at ${address}`)
      this.#lastLogged = ''
      if (this.#server === server) this.#state = { setting, address, isOpen: true }
    }
    server.listen({ host, port }, opened).unref()
  }

  /** Logs a repeated message once: the daemon tries again every few seconds. */
  #logOnce(line: string): void {
    if (line !== this.#lastLogged) this.log(line)
    this.#lastLogged = line
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '', headers } = request
    request.resume()
    if (!LOCAL_HOST.test(headers.host ?? ''))
      return sendText(response, 403, 'the Host header is not a name of this machine\n')
    if (method !== 'GET') return sendText(response, 405, 'only GET\n', { Allow: 'GET' })
    if (url.split('?', 1)[0] !== '/metrics') return sendText(response, 404, 'not found: the only page is /metrics\n')
    this.lastAt = process.uptime() * 1000
    try {
      sendText(response, 200, await this.text(), { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' })
    } catch (error) {
      this.log(`metrics could not be served: ${error instanceof Error ? error.message : error}`)
      sendText(response, 503, 'the statistics cannot be read\n')
    }
  }
}

function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const plain = {
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
  }
  response.writeHead(status, { ...plain, ...headers, 'Content-Length': Buffer.byteLength(text) })
  response.end(text)
}
