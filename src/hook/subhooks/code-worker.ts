import { type MessagePort, workerData } from 'node:worker_threads'
import {
  CODE_ENDED,
  type CodeGateReply,
  type CodeGateRequest,
  capturePrints,
  describeThrown,
  runCodeGate,
} from './run-code-gate.ts'

/** What the thread of the code gates starts with: the port for requests, and the bell that signals a reply. */
export interface WorkerChannel {
  readonly port: MessagePort
  readonly wakeSignal: Int32Array
}

const { port, wakeSignal }: WorkerChannel = workerData
let end: string = CODE_ENDED

function sendReply(reply: CodeGateReply): void {
  port.postMessage(reply)
  if ('printed' in reply) return
  Atomics.add(wakeSignal, 0, 1)
  Atomics.notify(wakeSignal, 0)
}

// through the reply port: the main thread blocks while it waits, and would read the streams too late
capturePrints(printed => sendReply({ printed }))
process.on('uncaughtExceptionMonitor', error => {
  end = describeThrown(error)
})
process.on('exit', () => sendReply({ problem: end, ended: true }))
port.on('message', async (question: CodeGateRequest) => sendReply(await runCodeGate(question)))
