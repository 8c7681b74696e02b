import { connect } from 'node:net'
import { join } from 'node:path'
import { readRegularFile } from '../../policy/index.ts'
import { decodeReply, encodeRequest, type RequestFrame } from './frame.ts'
import type { MetricsState } from './metrics-server.ts'
import { RUN_FILES, runFolderOf } from './run-folder.ts'

/** The daemon's status report. */
export interface DaemonStatus {
  readonly pid: number
  readonly version: string
  readonly build: string
  readonly node: string
  readonly upMs: number
  readonly answered: number
  readonly connections: number
  readonly policies: number
  /** the policies that events were evaluated with, the latest in each folder */
  readonly inForce?: readonly { readonly hash: string; readonly folder: string }[]
  readonly rss: number
  /** absent: metrics are off */
  readonly metrics?: MetricsState
  /** the dashboard's process and its number of open pages; absent: there is none */
  readonly dashboard?: { readonly pid: number; readonly pages: number }
}

/** Undefined: no daemon answers. `ui` takes the port and the folder, and starts the dashboard if there is none. */
export async function queryDaemon(
  state: string,
  ...command: readonly ['status' | 'stop'] | readonly ['ui', string, string]
): Promise<DaemonStatus | undefined> {
  try {
    const [token = ''] = readRegularFile(join(runFolderOf(state), RUN_FILES.token)).split('\n', 1)
    const request: RequestFrame = {
      kind: 'control',
      build: '',
      token,
      cwd: '',
      args: command,
      env: {},
      bytes: Buffer.alloc(0),
    }
    const reply = decodeReply(await exchangeBytes(state, encodeRequest(request)))
    return reply?.status === 0 ? JSON.parse(reply.stdout) : undefined
  } catch {
    return undefined
  }
}

/** Sends bytes and returns the daemon's reply. Changes to the run folder meanwhile, because a socket's path must be short. */
function exchangeBytes(state: string, bytes: Buffer, timeoutMs = 3000): Promise<Buffer> {
  const back = process.cwd()
  process.chdir(runFolderOf(state))
  try {
    const socket = connect(RUN_FILES.socket)
    const chunks: Buffer[] = []
    return new Promise((done, fail) => {
      socket.setTimeout(timeoutMs, () => socket.destroy(new Error('the daemon does not answer')))
      socket.on('data', chunk => chunks.push(chunk))
      socket.on('error', fail)
      socket.on('end', () => done(Buffer.concat(chunks)))
      socket.write(bytes)
    })
  } finally {
    process.chdir(back)
  }
}
