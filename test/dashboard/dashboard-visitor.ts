import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export interface Sent {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** One request, as it is: nothing is added that a browser would add. */
export function send(port: number, { method = 'GET', path, headers = {}, body }: Sent): Promise<Answer> {
  return new Promise((done, fail) => {
    // a connection for each: one that was kept may be closed just now
    const asked = request({
      agent: false,
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: { Host: `127.0.0.1:${port}`, ...headers },
    })
    asked.on('response', response => {
      let text = ''
      response.setEncoding('utf8').on('data', chunk => {
        text += chunk
      })
      response.on('end', () => done({ status: response.statusCode ?? 0, headers: response.headers, text }))
      response.on('error', fail)
    })
    asked.on('error', fail).end(body)
  })
}

/** A person with a browser, as far as the server can tell. */
export class Visitor {
  private constructor(
    readonly port: number,
    readonly cookie: string,
    readonly key: string,
  ) {}

  /** With what `signalbox ui` printed. */
  static async enter(url: string): Promise<Visitor> {
    const { port, hash } = new URL(url)
    const answer = await login(Number(port), hash.replace('#token=', ''))
    if (answer.status !== 200) throw new Error(`not let in: ${answer.text}`)
    const [cookie = ''] = String(answer.headers['set-cookie']).split(';')
    return new Visitor(Number(port), cookie, JSON.parse(answer.text).key)
  }

  get headers(): Readonly<Record<string, string>> {
    const { cookie, key, port } = this
    return { Cookie: cookie, 'X-Signalbox-Key': key, Origin: `http://127.0.0.1:${port}` }
  }

  send(path: string, sent: Omit<Sent, 'path'> = {}): Promise<Answer> {
    return send(this.port, { path, ...sent, headers: { ...this.headers, ...sent.headers } })
  }

  async get<T>(path: string): Promise<T> {
    const { status, text } = await this.send(path)
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
    return JSON.parse(text)
  }

  async post<T>(path: string, body: unknown): Promise<T> {
    const headers = { 'Content-Type': 'application/json' }
    const { status, text } = await this.send(path, { method: 'POST', body: JSON.stringify(body), headers })
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
    return JSON.parse(text)
  }

  /** Until it is ended: every event, as it comes. */
  listen(path = '/api/stream', lastId?: string): Listening {
    return new Listening(this, path, lastId)
  }
}

export const login = (port: number, token: string): Promise<Answer> =>
  send(port, {
    method: 'POST',
    path: '/api/login',
    headers: { 'Content-Type': 'application/json', Origin: `http://127.0.0.1:${port}` },
    body: JSON.stringify({ token }),
  })

interface Heard {
  readonly id: string
  readonly event: string
  // biome-ignore lint/suspicious/noExplicitAny: whatever was sent
  readonly data: any
}

export class Listening {
  readonly heard: Heard[] = []
  response: IncomingMessage | undefined
  isOver = false
  readonly #asked: ClientRequest
  #text = ''

  constructor({ port, cookie, key }: Visitor, path: string, lastId: string | undefined) {
    const url = `${path}${path.includes('?') ? '&' : '?'}key=${key}`
    const headers = {
      Host: `127.0.0.1:${port}`,
      Cookie: cookie,
      ...(lastId !== undefined && { 'Last-Event-ID': lastId }),
    }
    this.#asked = request({ host: '127.0.0.1', port, path: url, headers, agent: false })
    this.#asked.on('response', response => {
      this.response = response
      response.setEncoding('utf8').on('data', (chunk: string) => this.#take(chunk))
      response.on('close', () => {
        this.isOver = true
      })
    })
    this.#asked.on('error', () => {
      this.isOver = true
    })
    this.#asked.end()
  }

  of(event: string): readonly Heard[] {
    return this.heard.filter(one => one.event === event)
  }

  // biome-ignore lint/suspicious/noExplicitAny: rows as they were sent
  get rows(): readonly any[] {
    return this.of('decisions').flatMap(({ data }) => data.rows)
  }

  end(): void {
    this.#asked.destroy()
  }

  #take(chunk: string): void {
    const parts = (this.#text + chunk).split('\n\n')
    this.#text = parts.pop() ?? ''
    for (const part of parts) {
      const lines = new Map(
        part.split('\n').map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      )
      const event = lines.get('event')
      if (event !== undefined)
        this.heard.push({ id: lines.get('id') ?? '', event, data: JSON.parse(lines.get('data') ?? 'null') })
    }
  }
}
