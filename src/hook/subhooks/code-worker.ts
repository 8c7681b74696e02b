import { type MessagePort, workerData } from 'node:worker_threads'
import { messageOf } from '../../lib/errors.ts'

/** What the thread of code gates begins with: how it is asked, and the bell that tells of an answer. */
export interface WorkerChannel {
  readonly port: MessagePort
  readonly bell: Int32Array
}

export interface CodeGateRequest {
  readonly url: string
  readonly event: unknown
  readonly state: unknown
}

/** `said` is JSON. `ended`: there will be no other answer. */
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

/** What is printed goes the way of the answers: the streams would be read only when the main thread waits no more. */
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

/** Anything can be thrown, even what cannot be shown. */
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
