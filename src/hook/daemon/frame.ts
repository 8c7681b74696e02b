import { APPROVAL_VARIABLE } from '../index.ts'

/** The status of a reply. */
export const REPLY_STATUS = { answer: 0, anotherBuild: 1, busy: 2, notLetIn: 3, notHere: 4 } as const
export type ReplyStatus = (typeof REPLY_STATUS)[keyof typeof REPLY_STATUS]

/** `call`: an agent's event. `control`: a person's `signalbox daemon …`. */
const REQUEST_MAGIC = { call: 'SBQ1', control: 'SBC1' } as const
export type RequestKind = keyof typeof REQUEST_MAGIC
const REPLY_MAGIC = 'SBR1'
const WAIT_MAGIC = 'SBW1'
/** sent in the environment, as a one-shot process receives it */
const CALL_VARIABLE = 'SIGNALBOX_CALL'

const MAX_SIZES = { header: 4 << 20, payload: 64 << 20, arguments: 4096 }
const REQUEST_HEAD_BYTES = 12
const REPLY_HEAD_BYTES = 16

/** One request, with everything that a one-shot process would have received. */
export interface RequestFrame {
  readonly kind: RequestKind
  readonly build: string
  readonly token: string
  readonly cwd: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly bytes: Buffer
  /** the client's id of this call; removed from `env` */
  readonly call?: string | undefined
  /** process id of the hook */
  readonly pid?: number | undefined
  /** removed from `env` too; with the hook's process id, to check that the approval was handed to that process */
  readonly approval?: { readonly token: string; readonly pid: number } | undefined
}

export interface ReplyFrame {
  readonly status: ReplyStatus
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Assembles a request from chunks of any size. Allocates no memory in advance. */
export class RequestFrameReader {
  #chunks: Buffer[] = []
  #size = 0
  #lengths: { readonly kind: RequestKind; readonly header: number; readonly payload: number } | undefined

  /** bytes that are held now */
  get size(): number {
    return this.#size
  }

  /** The complete request, once. Before that `more`, or `garbage` if it cannot become a request. */
  push(chunk: Buffer): RequestFrame | 'more' | 'garbage' {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    if (!this.#lengths) {
      if (this.#size < REQUEST_HEAD_BYTES) return 'more'
      const lengths = parseLengths(this.#all())
      if (!lengths) return 'garbage'
      this.#lengths = lengths
    }
    const { kind, header, payload } = this.#lengths
    const whole = REQUEST_HEAD_BYTES + header + payload
    if (this.#size < whole) return 'more'
    if (this.#size > whole) return 'garbage'
    const bytes = this.#all()
    return (
      parseFrame(
        kind,
        bytes.toString('utf8', REQUEST_HEAD_BYTES, REQUEST_HEAD_BYTES + header),
        bytes.subarray(REQUEST_HEAD_BYTES + header),
      ) ?? 'garbage'
    )
  }

  #all(): Buffer {
    const [first] = this.#chunks
    if (first && this.#chunks.length === 1) return first
    const all = Buffer.concat(this.#chunks)
    this.#chunks = [all]
    return all
  }
}

function parseLengths(head: Buffer) {
  const magic = head.toString('latin1', 0, 4)
  const kind = magic === REQUEST_MAGIC.call ? 'call' : magic === REQUEST_MAGIC.control ? 'control' : undefined
  const header = head.readUInt32LE(4)
  const payload = head.readUInt32LE(8)
  return kind && header <= MAX_SIZES.header && payload <= MAX_SIZES.payload
    ? ({ kind, header, payload } as const)
    : undefined
}

function parseFrame(kind: RequestKind, header: string, bytes: Buffer): RequestFrame | undefined {
  const words = header.split('\0')
  // each word ends with a NUL, the last one too
  const [build, token, cwd, count] = words
  const many = Number(count)
  if (words.pop() !== '' || build === undefined || token === undefined || cwd === undefined) return undefined
  if (!/^\d{1,4}$/.test(count ?? '') || many > MAX_SIZES.arguments || words.length < 4 + many) return undefined
  const env = parseEnvironment(words, 4 + many)
  const [, pid, call] = /^(?:(\d{1,9})-)?(.*)$/.exec(env[CALL_VARIABLE] ?? '') ?? []
  const approval = env[APPROVAL_VARIABLE] && pid ? { token: env[APPROVAL_VARIABLE], pid: Number(pid) } : undefined
  delete env[CALL_VARIABLE]
  delete env[APPROVAL_VARIABLE]
  const args = words.slice(4, 4 + many)
  return { kind, build, token, cwd, args, env, bytes, call: call || undefined, pid: Number(pid) || undefined, approval }
}

/** If a name appears twice the first value counts, as for a process. */
function parseEnvironment(words: readonly string[], from: number): Record<string, string> {
  const env: Record<string, string> = Object.create(null)
  for (let at = from; at < words.length; at++) {
    const word = words[at] ?? ''
    const equals = word.indexOf('=')
    if (equals > 0) env[word.slice(0, equals)] ??= word.slice(equals + 1)
  }
  return env
}

export function encodeRequest({ kind, build, token, cwd, args, env, bytes }: RequestFrame): Buffer {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  const words = [build, token, cwd, String(args.length), ...args, ...variables]
  const header = Buffer.from(words.map(word => `${word}\0`).join(''))
  const head = Buffer.alloc(REQUEST_HEAD_BYTES)
  head.write(REQUEST_MAGIC[kind], 'latin1')
  head.writeUInt32LE(header.length, 4)
  head.writeUInt32LE(bytes.length, 8)
  return Buffer.concat([head, header, bytes])
}

export function encodeReply({ status, exitCode, stdout, stderr }: ReplyFrame): Buffer {
  const out = Buffer.byteLength(stdout)
  const err = Buffer.byteLength(stderr)
  const bytes = Buffer.allocUnsafe(REPLY_HEAD_BYTES + out + err)
  bytes.write(REPLY_MAGIC, 0, 'latin1')
  bytes.writeUInt8(status, 4)
  bytes.writeUInt8(exitCode, 5)
  bytes.writeUInt16LE(0, 6)
  bytes.writeUInt32LE(out, 8)
  bytes.writeUInt32LE(err, 12)
  bytes.write(stdout, REPLY_HEAD_BYTES, 'utf8')
  bytes.write(stderr, REPLY_HEAD_BYTES + out, 'utf8')
  return bytes
}

/** Announces how long the reply may take, in ms since the request arrived. */
export function encodeWait(ms: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.write(WAIT_MAGIC, 'latin1')
  bytes.writeUInt32LE(Math.min(Math.ceil(ms), 2 ** 32 - 1), 4)
  return bytes
}

/** The reply in all bytes that a daemon sent; undefined: none, or incomplete. */
export function decodeReply(all: Buffer): (ReplyFrame & { readonly waits: readonly number[] }) | undefined {
  const waits: number[] = []
  let at = 0
  for (; all.length >= at + 8 && all.toString('latin1', at, at + 4) === WAIT_MAGIC; at += 8)
    waits.push(all.readUInt32LE(at + 4))
  const rest = all.subarray(at)
  if (rest.length < REPLY_HEAD_BYTES || rest.toString('latin1', 0, 4) !== REPLY_MAGIC) return undefined
  const status = Object.values(REPLY_STATUS).find(candidate => candidate === rest[4])
  const out = rest.readUInt32LE(8)
  const err = rest.readUInt32LE(12)
  if (status === undefined || rest.length !== REPLY_HEAD_BYTES + out + err) return undefined
  const stdout = rest.toString('utf8', REPLY_HEAD_BYTES, REPLY_HEAD_BYTES + out)
  return { status, exitCode: rest[5] ?? 0, stdout, stderr: rest.toString('utf8', REPLY_HEAD_BYTES + out), waits }
}
