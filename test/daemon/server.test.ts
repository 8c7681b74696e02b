import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { decodeReply, encodeRequest, type RequestFrame, RequestFrameReader } from '../../src/hook/daemon/frame.ts'
import {
  type DaemonCall,
  type DaemonHost,
  DaemonServer,
  DEFAULT_SERVER_LIMITS,
  type ServerLimits,
} from '../../src/hook/daemon/server.ts'
import { heard } from '../support/daemon-client.ts'

const TOKEN = 'a'.repeat(64)
const NOTHING = { exitCode: 0, stdout: '', stderr: '' }
const FRAME: RequestFrame = {
  kind: 'call',
  build: '',
  token: TOKEN,
  cwd: '/x',
  args: ['--client', 'generic'],
  env: { A: '1', B: 'zwei=2', C: '' },
  bytes: Buffer.from('{"a":"ä"}'),
}

let folder: string
let server: DaemonServer
let visits: DaemonCall[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-server-'))
  visits = []
})
afterEach(() => {
  server.shut()
  rmSync(folder, { recursive: true, force: true })
})

async function open(
  answer: DaemonHost['answer'] = async () => NOTHING,
  limits: Partial<ServerLimits> = {},
): Promise<void> {
  const host: DaemonHost = {
    token: TOKEN,
    answer: visit => {
      visits.push(visit)
      return answer(visit)
    },
    control: command => `did ${command}`,
    isOutdated: build => build === 'old',
    log: () => {},
  }
  // where time is not what is tried, none runs out on a busy machine
  server = new DaemonServer(host, { ...DEFAULT_SERVER_LIMITS, sendMs: 60_000, takeMs: 60_000, ...limits })
  await server.listen(join(folder, 's'))
}

const reach = (): Socket => connect(join(folder, 's'))
const say = async (bytes: Buffer) => decodeReply(await heard(reach(), 20_000, socket => socket.write(bytes)))
const status = async (bytes: Buffer) => (await say(bytes))?.status

describe('a request', () => {
  it('is what a process of its own would have got', async () => {
    await open()
    expect(await say(encodeRequest(FRAME))).toEqual({ ...NOTHING, status: 0, waits: [] })
    const { now, arrivedAt, answerBy: _, left: __, bytes, ...visit } = visits[0] ?? ({} as DaemonCall)
    expect({ ...visit, env: { ...visit.env } }).toEqual({
      ...{ args: FRAME.args, text: '{"a":"ä"}', env: FRAME.env, cwd: '/x' },
    })
    expect(Buffer.from(bytes ?? '')).toEqual(FRAME.bytes)
    expect(now).toBeGreaterThan(Date.now() - 60_000)
    expect(arrivedAt).toBeLessThanOrEqual(process.uptime() * 1000)
  })

  it('may come byte by byte', async () => {
    await open()
    const all = encodeRequest(FRAME)
    const reply = heard(reach(), 20_000, async socket => {
      for (const byte of all) {
        socket.write(Buffer.of(byte))
        await new Promise(done => setImmediate(done))
      }
    })
    expect(decodeReply(await reply)).toMatchObject({ status: 0 })
    expect(visits).toHaveLength(1)
  })

  it.each([0, 1, 11, 12, 13, 40])('may come in two pieces, cut at %d', cut => {
    const all = encodeRequest(FRAME)
    const reader = new RequestFrameReader()
    if (cut > 0) expect(reader.push(all.subarray(0, cut))).toBe('more')
    expect(reader.push(all.subarray(cut))).toMatchObject({ cwd: '/x', args: FRAME.args })
  })

  it('may be 64 MB long', async () => {
    await open(async ({ text }) => ({ ...NOTHING, stdout: String(text.length) }))
    const bytes = Buffer.alloc(64 << 20, 'x')
    expect(await say(encodeRequest({ ...FRAME, bytes }))).toMatchObject({ status: 0, stdout: `${64 << 20}\n` })
  })

  it('of a name that is there twice has the first value, as a process has', () => {
    const header = `b\0${TOKEN}\0/\0${0}\0A=1\0A=2\0nonsense\0=x\0__proto__=y\0`
    const head = Buffer.alloc(12)
    head.write('SBQ1')
    head.writeUInt32LE(header.length, 4)
    const frame = new RequestFrameReader().push(Buffer.concat([head, Buffer.from(header)]))
    expect(typeof frame === 'object' && Object.entries(frame.env)).toEqual([
      ['A', '1'],
      ['__proto__', 'y'],
    ])
  })
})

describe('what is no request', () => {
  const head = (magic: string, header: number, payload: number) => {
    const bytes = Buffer.alloc(12)
    bytes.write(magic, 'latin1')
    bytes.writeUInt32LE(header, 4)
    bytes.writeUInt32LE(payload, 8)
    return bytes
  }
  const withHeader = (text: string) => Buffer.concat([head('SBQ1', Buffer.byteLength(text), 0), Buffer.from(text)])
  const garbage: readonly [string, Buffer][] = [
    ['another language', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
    ['another version', head('SBQ2', 0, 0)],
    ['a header that is too long', head('SBQ1', (4 << 20) + 1, 0)],
    ['a payload that is too long', head('SBQ1', 0, (64 << 20) + 1)],
    ['an empty header', head('SBQ1', 0, 0)],
    ['a header without its end', withHeader(`b\0${TOKEN}\0/\x000`)],
    ['a header without arguments', withHeader(`b\0${TOKEN}\0/\0`)],
    ['fewer arguments than it says', withHeader(`b\0${TOKEN}\0/\x002\0--client\0`)],
    ['a number that is none', withHeader(`b\0${TOKEN}\0/\0-1\0`)],
    ['more than one request', Buffer.concat([encodeRequest(FRAME), encodeRequest(FRAME)])],
    ['zeros', Buffer.alloc(4096)],
  ]
  it.each(garbage)('%s', async (_, bytes) => {
    await open()
    expect(await status(bytes)).toBe(4)
    expect(visits).toEqual([])
  })

  it('half of one, and then nobody', async () => {
    await open()
    const half = encodeRequest(FRAME).subarray(0, 30)
    expect(await heard(reach(), 20_000, socket => socket.end(half))).toHaveLength(16)
    expect(visits).toEqual([])
  })

  it('silence', async () => {
    await open(undefined, { sendMs: 50 })
    const began = performance.now()
    expect(await status(Buffer.alloc(0))).toBe(4)
    const tookMs = performance.now() - began
    expect(tookMs).toBeGreaterThan(45)
    await server.empty()
    expect(server.connections).toBe(0)
  })

  it.each([
    ['says nothing', async () => {}],
    ['has said half of it', async (socket: Socket) => socket.write(encodeRequest(FRAME).subarray(0, 30))],
    ['has said half of it, and ended', async (socket: Socket) => socket.end(encodeRequest(FRAME).subarray(0, 30))],
    [
      'goes on to send a little',
      async (socket: Socket) => {
        const bytes = encodeRequest({ ...FRAME, bytes: Buffer.alloc(10_000) })
        for (let at = 0; !socket.destroyed && at < bytes.length; at++) {
          socket.write(bytes.subarray(at, at + 1))
          await new Promise(done => setTimeout(done, 20))
        }
      },
    ],
  ])('who %s keeps no connection, though it stays open at the other end', async (_, speak) => {
    // whoever is given time to take a reply would be there for ten minutes
    await open(undefined, { sendMs: 50, takeMs: 600_000 })
    const socket = connect({ path: join(folder, 's'), allowHalfOpen: true })
    socket.on('error', () => {})
    await new Promise(done => socket.once('connect', done))
    while (server.connections === 0) await new Promise(done => setTimeout(done, 2))
    void speak(socket)
    await server.empty()
    expect([server.connections, visits]).toEqual([0, []])
    socket.destroy()
  })

  it('one that never comes to its end', async () => {
    await open(undefined, { sendMs: 50 })
    const bytes = encodeRequest({ ...FRAME, bytes: Buffer.alloc(10_000) })
    const reply = heard(reach(), 20_000, async socket => {
      for (let at = 0; !socket.destroyed && at < bytes.length; at++) {
        socket.write(bytes.subarray(at, at + 1))
        await new Promise(done => setTimeout(done, 20))
      }
    })
    expect(decodeReply(await reply)?.status).toBe(4)
    expect(visits).toEqual([])
  })
})

describe('at the door', () => {
  it.each([
    ['a wrong token', { token: `${'a'.repeat(63)}b` }, 3],
    ['half a token', { token: 'a' }, 3],
    ['more than the token', { token: `${TOKEN}a` }, 3],
    ['a client of another build', { build: 'old' }, 1],
    ['a person’s command without the token', { kind: 'control', args: ['stop'], token: '' }, 3],
  ] as const)('%s', async (_, other, expected) => {
    await open()
    expect(await status(encodeRequest({ ...FRAME, ...other }))).toBe(expected)
    expect(visits).toEqual([])
  })

  it('a person’s command is answered in words', async () => {
    await open()
    const asked = encodeRequest({ ...FRAME, kind: 'control', args: ['status'] })
    expect(await say(asked)).toMatchObject({ status: 0, stdout: 'did status' })
  })
})

describe('an answer', () => {
  it('is printed as a process of its own prints it', async () => {
    await open(async () => ({ exitCode: 2, stdout: '{"a":"ü"}', stderr: 'one\ntwo\n\n' }))
    expect(await say(encodeRequest(FRAME))).toMatchObject({ exitCode: 2, stdout: '{"a":"ü"}\n', stderr: 'one\ntwo\n' })
  })

  it('that takes longer is told of before, and one that does not is not', async () => {
    await open(async ({ answerBy }) => {
      answerBy?.(2000)
      answerBy?.(7000)
      return NOTHING
    })
    expect(await say(encodeRequest(FRAME))).toMatchObject({ status: 0, waits: [7000] })
  })

  it('that only another process can give, or none, is left to one', async () => {
    await open(async () => undefined)
    expect(await status(encodeRequest(FRAME))).toBe(4)
    server.shut()
    rmSync(join(folder, 's'), { force: true })
    await open(async () => {
      throw new Error('a bug')
    })
    expect(await status(encodeRequest(FRAME))).toBe(4)
    expect(server.answered).toBe(0)
  })

  it('is given to as many at once as there is room for', async () => {
    let release = () => {}
    const held = new Promise<void>(done => {
      release = done
    })
    await open(async () => held.then(() => NOTHING), { events: 2 })
    const two = [say(encodeRequest(FRAME)), say(encodeRequest(FRAME))]
    while (visits.length < 2) await new Promise(done => setTimeout(done, 2))
    expect(await status(encodeRequest(FRAME))).toBe(2)
    release()
    expect(await Promise.all(two)).toMatchObject([{ status: 0 }, { status: 0 }])
    expect(await status(encodeRequest(FRAME))).toBe(0)
  })

  it('is not given to more connections, or bytes, than there is room for', async () => {
    await open(undefined, { connections: 1, bytes: 5000 })
    const idle = reach()
    await new Promise(done => idle.once('connect', done))
    expect(await status(encodeRequest(FRAME))).toBe(2)
    idle.destroy()
    await server.empty()
    expect(await status(encodeRequest({ ...FRAME, bytes: Buffer.alloc(20_000) }))).toBe(2)
    await server.empty()
    expect(await status(encodeRequest(FRAME))).toBe(0)
  })

  it('is waited for by who stops', async () => {
    let release = () => {}
    await open(
      () =>
        new Promise(done => {
          release = () => done(NOTHING)
        }),
    )
    const reply = say(encodeRequest(FRAME))
    while (visits.length < 1) await new Promise(done => setTimeout(done, 2))
    server.shut()
    let isEmpty = false
    const empty = server.empty().then(() => {
      isEmpty = true
    })
    await new Promise(done => setTimeout(done, 20))
    expect(isEmpty).toBe(false)
    release()
    expect(await reply).toMatchObject({ status: 0 })
    await empty
  })
})
