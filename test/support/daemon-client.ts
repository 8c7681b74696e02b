import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { decodeReply, encodeRequest, type RequestFrame } from '../../src/hook/daemon/frame.ts'

export type Call = Partial<RequestFrame> & { readonly client?: string; readonly payload?: string }

/** What the native hook does, in Node: one request, one reply. `state`: a folder with a short path. */
export async function ask(state: string, call: Call, timeoutMs = 10_000) {
  return decodeReply(await talk(state, encodeRequest(frameOf(state, call)), timeoutMs))
}

export function frameOf(state: string, { client, payload, ...call }: Call): RequestFrame {
  const bytes = Buffer.from(payload ?? '')
  const args = client === undefined ? [] : ['--client', client]
  return { kind: 'call', build: '', token: tokenOf(state), cwd: '/', args, env: {}, bytes, ...call }
}

export const tokenOf = (state: string): string => readFileSync(join(state, 'run/token'), 'utf8').split('\n')[0] ?? ''

export const reach = (state: string): Socket => connect(join(state, 'run/socket'))

/** Everything that comes back until the other side ends it. */
export function talk(state: string, bytes: Buffer, timeoutMs = 10_000): Promise<Buffer> {
  return heard(reach(state), timeoutMs, socket => socket.write(bytes))
}

export function heard(socket: Socket, timeoutMs: number, begin: (socket: Socket) => void): Promise<Buffer> {
  const chunks: Buffer[] = []
  return new Promise((done, fail) => {
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('silence')))
    socket.on('data', chunk => chunks.push(chunk))
    socket.on('error', fail)
    socket.on('end', () => done(Buffer.concat(chunks)))
    begin(socket)
  })
}
