import { createServer, type Server as NetServer, type Socket } from 'node:net'
import {
  encodeReply,
  encodeWait,
  REPLY_STATUS,
  type ReplyFrame,
  type ReplyStatus,
  type RequestFrame,
  RequestFrameReader,
} from './frame.ts'

/** One event, as the hook receives it. */
export interface DaemonCall {
  readonly args: readonly string[]
  readonly text: string
  readonly bytes: Uint8Array
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly now: number
  readonly call?: string | undefined
  readonly pid?: number | undefined
  readonly approval?: RequestFrame['approval']
  /** arrival, on the process's own clock */
  readonly arrivedAt: number
  readonly answerBy?: (ms: number) => void
  /** resolved when the client no longer waits for the reply */
  readonly left?: Promise<void>
}

interface HookReply {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** What the server needs from the daemon. */
export interface DaemonHost {
  readonly token: string
  /** Undefined: a one-shot process has to answer. */
  answer(visit: DaemonCall): Promise<HookReply | undefined>
  /** a person's command; the result is printed */
  control(command: string, args: readonly string[]): string
  /** Whether the request shows that the daemon is outdated. The daemon then leaves. */
  isOutdated(build: string): boolean
  /** reports an unexpected error; the request is answered anyway */
  log(line: string): void
}

export interface ServerLimits {
  /** connections at once */
  readonly connections: number
  /** events at once, including events that wait for their turn */
  readonly events: number
  /** bytes of all requests together */
  readonly bytes: number
  /** for the complete request, from the connection on */
  readonly sendMs: number
  /** for the client to read the reply */
  readonly takeMs: number
}

export const DEFAULT_SERVER_LIMITS: ServerLimits = {
  connections: 512,
  events: 256,
  bytes: 160 << 20,
  sendMs: 2000,
  takeMs: 5000,
}

/** Time to read the reply, for a client that did not send its request in time. Short, so that silent clients hold no connections. */
const CLOSE_MS = 250

/** How long a client waits if no wait frame extends it. */
const BUDGET_MS = 2000

/** Accepts one request per connection and replies to it. Every accepted request gets a reply. */
export class DaemonServer {
  /** number of answered events */
  answered = 0
  /** when the last request arrived, on the process's own clock */
  lastAt = uptimeMs()
  readonly #net: NetServer
  readonly #open = new Set<Socket>()
  #events = 0
  #bytes = 0
  #emptied: (() => void) | undefined

  constructor(
    private readonly host: DaemonHost,
    private readonly limits: ServerLimits = DEFAULT_SERVER_LIMITS,
    private readonly now: () => number = Date.now,
  ) {
    // a client that closed its half may still read; a client that is gone is noticed on write
    this.#net = createServer({ allowHalfOpen: true }, socket => this.#accept(socket))
    this.#net.on('error', error => host.log(`the socket: ${error.message}`))
  }

  /** number of events in progress */
  get events(): number {
    return this.#events
  }

  get connections(): number {
    return this.#open.size
  }

  listen(path: string): Promise<void> {
    return new Promise((done, fail) => {
      this.#net.once('error', fail)
      this.#net.listen({ path, backlog: 511 }, () => {
        this.#net.off('error', fail)
        done()
      })
    })
  }

  /** Accepts no more connections. */
  shut(): void {
    this.#net.close()
  }

  /** Resolved when all accepted requests have their replies. */
  empty(): Promise<void> {
    return this.#open.size === 0
      ? Promise.resolve()
      : new Promise(done => {
          this.#emptied = done
        })
  }

  #accept(socket: Socket): void {
    const reader = new RequestFrameReader()
    let byteCount = 0
    const isGone = () => this.#refuse(socket, REPLY_STATUS.notHere, CLOSE_MS)
    const late = createPatientTimer(this.limits.sendMs, () => byteCount, isGone)
    this.#open.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      late.clear()
      this.#bytes -= byteCount
      this.#open.delete(socket)
      if (this.#open.size === 0) this.#emptied?.()
    })
    // the client ended before its request was complete
    socket.on('end', isGone)
    if (this.#open.size > this.limits.connections) this.#refuse(socket, REPLY_STATUS.busy)
    else
      socket.on('data', (chunk: Buffer) => {
        byteCount += chunk.length
        this.#bytes += chunk.length
        const frame = this.#bytes > this.limits.bytes ? 'busy' : reader.push(chunk)
        if (frame === 'more') return
        late.clear()
        socket.removeAllListeners('data').off('end', isGone)
        if (frame === 'busy') this.#refuse(socket, REPLY_STATUS.busy)
        else if (frame === 'garbage') this.#refuse(socket, REPLY_STATUS.notHere)
        else this.#take(frame, socket)
      })
  }

  #take(frame: RequestFrame, socket: Socket): void {
    const arrivedAt = uptimeMs()
    const now = this.now()
    this.lastAt = arrivedAt
    const rejection = this.#replyWithoutEvaluation(frame)
    if (rejection) {
      this.#say(socket, rejection)
      return
    }
    this.#events++
    let gone = false
    const left = new Promise<void>(done => {
      const leaf = () => {
        gone = true
        done()
      }
      socket.once('end', leaf).once('close', leaf)
    })
    socket.resume()
    // clients that gave up while this process was blocked are known by then: their events are answered elsewhere. Twice, because some Node
    // versions emit `end` one turn after the last bytes
    setImmediate(() =>
      setImmediate(async () => {
        try {
          if (gone) socket.destroy()
          else await this.#answer(frame, socket, { arrivedAt, now, left })
        } finally {
          this.#events--
        }
      }),
    )
  }

  /** Replies that need no evaluation. */
  #replyWithoutEvaluation({ kind, token, build, args: [command = '', ...rest] }: RequestFrame): ReplyFrame | undefined {
    if (!isSameSecret(token, this.host.token)) return statusReply(REPLY_STATUS.notLetIn)
    if (kind === 'control') return textReply(this.host.control(command, rest))
    if (this.host.isOutdated(build)) return statusReply(REPLY_STATUS.anotherBuild)
    return this.#events >= this.limits.events ? statusReply(REPLY_STATUS.busy) : undefined
  }

  async #answer(frame: RequestFrame, socket: Socket, at: Pick<DaemonCall, 'arrivedAt' | 'now' | 'left'>) {
    const { args, env, bytes, call, approval, pid } = frame
    const answerBy = (ms: number) => {
      if (ms > BUDGET_MS) socket.write(encodeWait(ms))
    }
    // a deleted folder has no path; the shell's `PWD` may still have it
    const cwd = frame.cwd || env.PWD || '/'
    try {
      const reply = await this.host.answer({
        args,
        text: bytes.toString('utf8'),
        bytes,
        env,
        cwd,
        call,
        pid,
        approval,
        ...at,
        answerBy,
      })
      if (reply) this.answered++
      this.#say(socket, reply ? toPrintedReply(reply) : statusReply(REPLY_STATUS.notHere))
    } catch (error) {
      this.host.log(`an event was passed on to a one-shot process: ${errorLocation(error)}`)
      this.#say(socket, statusReply(REPLY_STATUS.notHere))
    }
  }

  /** Replies to a request that was read completely. */
  #say(socket: Socket, frame: ReplyFrame): void {
    if (socket.writableEnded || socket.destroyed) return
    socket.end(encodeReply(frame), () => socket.destroy())
    if (!socket.destroyed) socket.setTimeout(this.limits.takeMs, () => socket.destroy())
  }

  /** Replies in the middle of a request. The rest is read and dropped: a client that is cut off while sending may miss the reply. */
  #refuse(socket: Socket, status: ReplyStatus, withinMs = this.limits.takeMs): void {
    if (socket.writableEnded || socket.destroyed) return
    socket.removeAllListeners('data').resume()
    socket.end(encodeReply(statusReply(status)))
    setTimeout(() => socket.destroy(), withinMs).unref()
  }
}

/** How often a client that is still sending gets more time, and how much. */
const EXTENSIONS = { times: 4, ms: 250 }

/** If this process was blocked, data that arrived in time is still unread. So the timer reads it before it fires. */
function createPatientTimer(ms: number, progress: () => number, over: () => void) {
  let left = EXTENSIONS.times
  let timer: NodeJS.Timeout
  let isClear = false
  const wait = (time: number) => {
    timer = setTimeout(() => {
      const before = progress()
      setImmediate(() => {
        if (isClear) return
        if (progress() > before && left-- > 0) wait(EXTENSIONS.ms)
        else over()
      })
    }, time)
  }
  wait(ms)
  return {
    clear: () => {
      isClear = true
      clearTimeout(timer)
    },
  }
}

/** Adds line ends as `bin/signalbox.cjs` does. */
const toPrintedReply = ({ exitCode, stdout, stderr }: HookReply): ReplyFrame => ({
  status: REPLY_STATUS.answer,
  exitCode,
  stdout: stdout && `${stdout}\n`,
  stderr: stderr && `${stderr.trimEnd()}\n`,
})

const textReply = (stdout: string): ReplyFrame => ({ ...statusReply(REPLY_STATUS.answer), stdout })

const statusReply = (status: ReplyStatus): ReplyFrame => ({ status, exitCode: 0, stdout: '', stderr: '' })

/** Compares in constant time. */
function isSameSecret(one: string, other: string): boolean {
  let difference = one.length ^ other.length
  for (let at = 0; at < other.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at)
  return difference === 0
}

/** The error's type and location. Its message is left out, because it may contain anything. */
export function errorLocation(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const [, place = ''] = /\n\s+at ([^\n]*)/.exec(error.stack ?? '') ?? []
  return `${error.name} at ${place}`
}

const uptimeMs = (): number => process.uptime() * 1000
