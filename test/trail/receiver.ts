import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'

/** How it answers the nth request: what a real collector does on a bad day. */
export type Mood =
  | 'fine'
  | 'cuts after taking'
  | 'cuts before taking'
  | 'cuts its answer'
  | 'hangs'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }

export interface Taken {
  readonly seq: number
  readonly uid: string
  readonly body: string
  readonly severity: number
}

/** A collector that takes OTLP logs in JSON, and nothing that is not. */
export class Receiver {
  readonly taken: Taken[] = []
  readonly requests: {
    readonly headers: IncomingMessage['headers']
    readonly path: string
    readonly records: number
  }[] = []
  readonly faults: string[] = []
  moods: Mood[] = []
  /** numbers of records with which any request is too large */
  heavy: ReadonlySet<number> = new Set()
  #server: Server | undefined
  #port = 0

  async open(): Promise<this> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', chunk => chunks.push(chunk))
      request.on('end', () => this.#answer(request, response, Buffer.concat(chunks)))
      request.on('error', () => {})
    })
    await new Promise<void>(done => server.listen(this.#port, '127.0.0.1', done))
    this.#server = server
    this.#port = (server.address() as AddressInfo).port
    return this
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections()
    await new Promise(done => (this.#server ? this.#server.close(done) : done(undefined)))
    this.#server = undefined
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  #answer(request: IncomingMessage, response: ServerResponse, bytes: Buffer): void {
    const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes).toString() : bytes.toString()
    const found = read(text, this.faults)
    const isHeavy = found.some(one => this.heavy.has(one.seq))
    const mood = isHeavy ? { status: 413 } : (this.moods.shift() ?? 'fine')
    if (request.method !== 'POST' || request.headers['content-type'] !== 'application/json')
      this.faults.push('no POST of JSON')
    this.requests.push({ headers: request.headers, path: request.url ?? '', records: found.length })
    if (mood === 'hangs') return
    if (mood === 'cuts after taking') this.taken.push(...found)
    if (mood === 'cuts before taking' || mood === 'cuts after taking') {
      request.socket.destroy()
      return
    }
    if (mood === 'cuts its answer') {
      response.writeHead(200, { 'content-length': 50 }).write('{"par', () => request.socket.destroy())
      return
    }
    // a page is the word of somebody in front of it
    if (mood !== 'fine' && (mood.status !== 200 || mood.body?.startsWith('<'))) {
      response.writeHead(mood.status, mood.headers).end(mood.body ?? '')
      return
    }
    this.taken.push(...found)
    response.writeHead(200, { 'content-type': 'application/json' }).end(mood === 'fine' ? '{}' : (mood.body ?? '{}'))
  }
}

type Doc = Record<string, unknown>

/** By the letter of opentelemetry-proto and its mapping to JSON. */
function read(text: string, faults: string[]): readonly Taken[] {
  const wrong = (what: string): void => {
    faults.push(what)
  }
  const only = (doc: Doc, keys: readonly string[], where: string): void => {
    for (const key of Object.keys(doc)) if (!keys.includes(key)) wrong(`${where}: unknown field ${key}`)
  }
  const isOf: Readonly<Record<string, (inner: unknown) => boolean>> = {
    stringValue: inner => typeof inner === 'string',
    boolValue: inner => typeof inner === 'boolean',
    // an int64 is a text of digits
    intValue: inner => typeof inner === 'string' && /^-?\d{1,19}$/.test(inner),
    doubleValue: inner => typeof inner === 'number' && Number.isFinite(inner),
    arrayValue: inner => Array.isArray((inner as Doc).values),
    kvlistValue: inner => Array.isArray((inner as Doc).values),
  }
  const anyValue = (value: unknown, where: string): void => {
    const entries = Object.entries((value ?? {}) as Doc)
    const [kind = '', inner] = entries[0] ?? []
    if (entries.length !== 1 || !isOf[kind]?.(inner)) wrong(`${where}: no value of one kind: ${JSON.stringify(value)}`)
    if (kind === 'arrayValue') for (const one of (inner as { values: unknown[] }).values) anyValue(one, where)
    if (kind === 'kvlistValue') attributes((inner as Doc).values, where)
  }
  const attributes = (list: unknown, where: string): void => {
    const keys = (list as Doc[]).map(one => one.key)
    if (new Set(keys).size !== keys.length) wrong(`${where}: a key twice`)
    for (const one of list as Doc[]) {
      only(one, ['key', 'value'], where)
      if (typeof one.key !== 'string' || one.key === '') wrong(`${where}: no key`)
      anyValue(one.value, `${where} ${one.key}`)
    }
  }
  const nanos = (value: unknown): void => {
    if (typeof value !== 'string' || !/^\d{1,20}$/.test(value)) wrong(`a fixed64 is a text of digits, not ${value}`)
  }
  const body = JSON.parse(text) as { resourceLogs: Doc[] }
  only(body as unknown as Doc, ['resourceLogs'], 'request')
  return body.resourceLogs.flatMap(resourceLog => {
    only(resourceLog, ['resource', 'scopeLogs', 'schemaUrl'], 'resourceLogs')
    attributes((resourceLog.resource as Doc).attributes, 'resource')
    return (resourceLog.scopeLogs as Doc[]).flatMap(scopeLog => {
      only(scopeLog, ['scope', 'logRecords', 'schemaUrl'], 'scopeLogs')
      return (scopeLog.logRecords as Doc[]).map(log => {
        only(
          log,
          [
            'timeUnixNano',
            'observedTimeUnixNano',
            'severityNumber',
            'severityText',
            'body',
            'attributes',
            'eventName',
            'traceId',
            'spanId',
            'flags',
          ],
          'logRecord',
        )
        nanos(log.timeUnixNano)
        nanos(log.observedTimeUnixNano)
        if (!Number.isInteger(log.severityNumber) || Number(log.severityNumber) < 1 || Number(log.severityNumber) > 24)
          wrong('no severity')
        for (const [key, size] of [
          ['traceId', 32],
          ['spanId', 16],
        ] as const)
          if (log[key] !== undefined && !new RegExp(`^[0-9a-f]{${size}}$`).test(String(log[key])))
            wrong(`${key} is no hex`)
        anyValue(log.body, 'body')
        attributes(log.attributes, 'logRecord')
        const of = (name: string) =>
          (log.attributes as { key: string; value: Record<string, string> }[]).find(one => one.key === name)?.value
        return {
          seq: Number(of('signalbox.seq')?.intValue),
          uid: String(of('log.record.uid')?.stringValue),
          body: String((log.body as Doc).stringValue),
          severity: Number(log.severityNumber),
        }
      })
    })
  })
}
