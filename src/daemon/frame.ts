import { APPROVAL } from '../runtime/index.ts'

/** What the daemon says of a request. */
export const STATUS = { answer: 0, anotherBuild: 1, busy: 2, notLetIn: 3, notHere: 4 } as const
export type Status = (typeof STATUS)[keyof typeof STATUS]

/** `call`: an event of an agent. `control`: a person's `signalbox daemon …`. */
const MAGIC = { call: 'SBQ1', control: 'SBC1' } as const
export type Kind = keyof typeof MAGIC
const REPLY = 'SBR1'
const WAIT = 'SBW1'
/** in the environment: a process of its own is given it in the same way */
const CALL = 'SIGNALBOX_CALL'

const MOST = { header: 4 << 20, payload: 64 << 20, arguments: 4096 }
const HEAD = 12
const REPLY_HEAD = 16

/** One request, as a process of its own would have got it. */
export interface Frame {
  readonly kind: Kind
  readonly build: string
  readonly token: string
  readonly cwd: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly bytes: Buffer
  /** the client's id of this call; no part of the environment that others are given */
  readonly call?: string | undefined
  /** of the hook */
  readonly pid?: number | undefined
  /** as little a part of it; with the client's number, by which it is seen whether it was handed down to that one */
  readonly approval?: { readonly token: string; readonly pid: number } | undefined
}

export interface Said {
  readonly status: Status
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Puts a request together as it comes, in pieces of any size. Nothing is made room for before it is there. */
export class FrameReader {
  #chunks: Buffer[] = []
  #size = 0
  #lengths: { readonly kind: Kind; readonly header: number; readonly payload: number } | undefined

  /** bytes that are held now */
  get size(): number {
    return this.#size
  }

  /** The whole request, once; `more` before that, `garbage` if it cannot become one. */
  push(chunk: Buffer): Frame | 'more' | 'garbage' {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    if (!this.#lengths) {
      if (this.#size < HEAD) return 'more'
      const lengths = lengthsIn(this.#all())
      if (!lengths) return 'garbage'
      this.#lengths = lengths
    }
    const { kind, header, payload } = this.#lengths
    const whole = HEAD + header + payload
    if (this.#size < whole) return 'more'
    if (this.#size > whole) return 'garbage'
    const bytes = this.#all()
    return frameIn(kind, bytes.toString('utf8', HEAD, HEAD + header), bytes.subarray(HEAD + header)) ?? 'garbage'
  }

  #all(): Buffer {
    const [first] = this.#chunks
    if (first && this.#chunks.length === 1) return first
    const all = Buffer.concat(this.#chunks)
    this.#chunks = [all]
    return all
  }
}

function lengthsIn(head: Buffer) {
  const magic = head.toString('latin1', 0, 4)
  const kind = magic === MAGIC.call ? 'call' : magic === MAGIC.control ? 'control' : undefined
  const header = head.readUInt32LE(4)
  const payload = head.readUInt32LE(8)
  return kind && header <= MOST.header && payload <= MOST.payload ? ({ kind, header, payload } as const) : undefined
}

function frameIn(kind: Kind, header: string, bytes: Buffer): Frame | undefined {
  const words = header.split('\0')
  // each is ended by a NUL, the last one too
  const [build, token, cwd, count] = words
  const many = Number(count)
  if (words.pop() !== '' || build === undefined || token === undefined || cwd === undefined) return undefined
  if (!/^\d{1,4}$/.test(count ?? '') || many > MOST.arguments || words.length < 4 + many) return undefined
  const env = environmentOf(words, 4 + many)
  const [, pid, call] = /^(?:(\d{1,9})-)?(.*)$/.exec(env[CALL] ?? '') ?? []
  const approval = env[APPROVAL] && pid ? { token: env[APPROVAL], pid: Number(pid) } : undefined
  delete env[CALL]
  delete env[APPROVAL]
  const args = words.slice(4, 4 + many)
  return { kind, build, token, cwd, args, env, bytes, call: call || undefined, pid: Number(pid) || undefined, approval }
}

/** Of a name that is there twice the first counts, as for a process. */
function environmentOf(words: readonly string[], from: number): Record<string, string> {
  const env: Record<string, string> = Object.create(null)
  for (let at = from; at < words.length; at++) {
    const word = words[at] ?? ''
    const equals = word.indexOf('=')
    if (equals > 0) env[word.slice(0, equals)] ??= word.slice(equals + 1)
  }
  return env
}

export function requestBytes({ kind, build, token, cwd, args, env, bytes }: Frame): Buffer {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const words = [build, token, cwd, String(args.length), ...args, ...variables]
  const header = Buffer.from(words.map(word => `${word}\0`).join(''))
  const head = Buffer.alloc(HEAD)
  head.write(MAGIC[kind], 'latin1')
  head.writeUInt32LE(header.length, 4)
  head.writeUInt32LE(bytes.length, 8)
  return Buffer.concat([head, header, bytes])
}

export function replyBytes({ status, exitCode, stdout, stderr }: Said): Buffer {
  const out = Buffer.byteLength(stdout)
  const err = Buffer.byteLength(stderr)
  const bytes = Buffer.allocUnsafe(REPLY_HEAD + out + err)
  bytes.write(REPLY, 0, 'latin1')
  bytes.writeUInt8(status, 4)
  bytes.writeUInt8(exitCode, 5)
  bytes.writeUInt16LE(0, 6)
  bytes.writeUInt32LE(out, 8)
  bytes.writeUInt32LE(err, 12)
  bytes.write(stdout, REPLY_HEAD, 'utf8')
  bytes.write(stderr, REPLY_HEAD + out, 'utf8')
  return bytes
}

/** "I may take so long", in ms since the request came. */
export function waitBytes(ms: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.write(WAIT, 'latin1')
  bytes.writeUInt32LE(Math.min(Math.ceil(ms), 2 ** 32 - 1), 4)
  return bytes
}

/** The reply in all that a daemon has said; undefined: it is none, or not whole. */
export function readReply(all: Buffer): (Said & { readonly waits: readonly number[] }) | undefined {
  const waits: number[] = []
  let at = 0
  for (; all.length >= at + 8 && all.toString('latin1', at, at + 4) === WAIT; at += 8)
    waits.push(all.readUInt32LE(at + 4))
  const rest = all.subarray(at)
  if (rest.length < REPLY_HEAD || rest.toString('latin1', 0, 4) !== REPLY) return undefined
  const status = Object.values(STATUS).find(one => one === rest[4])
  const out = rest.readUInt32LE(8)
  const err = rest.readUInt32LE(12)
  if (status === undefined || rest.length !== REPLY_HEAD + out + err) return undefined
  const stdout = rest.toString('utf8', REPLY_HEAD, REPLY_HEAD + out)
  return { status, exitCode: rest[5] ?? 0, stdout, stderr: rest.toString('utf8', REPLY_HEAD + out), waits }
}
