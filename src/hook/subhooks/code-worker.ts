import { type MessagePort, workerData } from 'node:worker_threads'
import { messageOf } from '../../lib/errors.ts'

/** What the thread of the code gates starts with: the port for requests, and the bell that signals a reply. */
export interface WorkerChannel {
  readonly port: MessagePort
  readonly bell: Int32Array
}

export interface CodeGateRequest {
  readonly url: string
  readonly event: unknown
  readonly state: unknown
}

/** `said` is JSON. `ended`: no other reply will follow. */
export type CodeGateReply =
  | { readonly said: string }
  | { readonly problem: string; readonly ended?: true }
  | { readonly printed: string }

const { port, bell }: WorkerChannel = workerData
let room = 65_536
let end = 'its code ended its own thread'

function tell(heard: CodeGateReply): void {
  port.postMessage(heard)
  if ('printed' in heard) return
  Atomics.add(bell, 0, 1)
  Atomics.notify(bell, 0)
}

/** Sends output through the reply port: the main thread blocks while it waits, and would read the streams too late. */
function print(text: unknown, ...rest: readonly unknown[]): boolean {
  const printed = (typeof text === 'string' ? text : Buffer.from(text as Uint8Array).toString()).slice(0, room)
  room -= printed.length
  if (printed !== '') tell({ printed })
  const done = rest.at(-1)
  if (typeof done === 'function') queueMicrotask(() => done())
  return true
}

async function judge({ url, event, state }: CodeGateRequest): Promise<CodeGateReply> {
  let judges: unknown
  try {
    judges = (await import(url)).default?.judge
  } catch (error) {
    return { problem: `its code could not be loaded: ${describe(error)}` }
  }
  if (typeof judges !== 'function') return { problem: 'its code exports no `judge` by default' }
  try {
    const verdict = judges(event, state)
    if (typeof verdict?.then === 'function') return { problem: 'its code must answer at once, not with a promise' }
    return { said: JSON.stringify(verdict) ?? 'null' }
  } catch (error) {
    return { problem: describe(error) }
  }
}

/** Any value can be thrown, even one without a text form. */
function describe(error: unknown): string {
  try {
    return messageOf(error)
  } catch {
    return 'its code threw what cannot be shown'
  }
}

process.stdout.write = print
process.stderr.write = print
process.on('uncaughtExceptionMonitor', error => {
  end = describe(error)
})
process.on('exit', () => tell({ problem: end, ended: true }))
port.on('message', async (question: CodeGateRequest) => tell(await judge(question)))
