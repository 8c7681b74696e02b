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
  readonly bell: Int32Array
}

const { port, bell }: WorkerChannel = workerData
let end: string = CODE_ENDED

function tell(heard: CodeGateReply): void {
  port.postMessage(heard)
  if ('printed' in heard) return
  Atomics.add(bell, 0, 1)
  Atomics.notify(bell, 0)
}

// through the reply port: the main thread blocks while it waits, and would read the streams too late
capturePrints(printed => tell({ printed }))
process.on('uncaughtExceptionMonitor', error => {
  end = describeThrown(error)
})
process.on('exit', () => tell({ problem: end, ended: true }))
port.on('message', async (question: CodeGateRequest) => tell(await runCodeGate(question)))
