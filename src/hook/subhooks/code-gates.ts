import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { MessagePort, Worker } from 'node:worker_threads'
import { type CodeGate, DECISIONS, type Program, type Verdict } from '../../engine/index.ts'
import { isObject } from '../../lib/json.ts'
import type { WorkerChannel } from './code-worker.ts'
import { gateEventOf, gateSnapshotOf } from './gate-event.ts'
import type { CodeGateAnswer, CodeGateReply, CodeGateRequest } from './run-code-gate.ts'

/** The code gates of one event. */
export interface CodeGates {
  readonly byGate: Readonly<Record<string, CodeGate>>
  /** Whether an evaluation asked what has no answer yet. Its result does not count. */
  readonly hasOpenQuestions: () => boolean
  /** Answers them, so that the evaluation can be repeated. Returns what the code printed. */
  readonly answerQuestions: () => Promise<string>
}

/** The processes that code gates run in, in the daemon. Only the daemon's bundle has the code for it. */
export interface CodeGateProcesses {
  /** Undefined if no gate of the policy is in code. */
  gatesFor(program: Program, call: CodeGateCall): CodeGates | undefined
  end(): void
}

/** The call whose folder and variables the code sees, and its time limits. */
export interface CodeGateCall extends Pick<CodeGateOptions, 'budgetMs' | 'lastMs'> {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** What `startCodeGates` needs from the hook. */
export interface CodeGateOptions {
  /** the bundle of `code-worker.ts` */
  readonly worker: string
  readonly budgetMs: number
  /** when the answer must be out, on the process's own clock */
  readonly lastMs: number
  /** called when the code could not be stopped: `exit` may wait for it */
  readonly stuck?: (() => void) | undefined
}

/**
 * The code gates of a policy. They run in a thread that starts at once, where they can neither block the reply nor print into it. A gate
 * without an answer in time fails as it declares, and so do the gates after it.
 */
export function startCodeGates({ gates }: Program, options: CodeGateOptions): Readonly<Record<string, CodeGate>> {
  const coded = gates.flatMap(({ id, code }) => (code === undefined ? [] : [{ id, url: pathToFileURL(code).href }]))
  if (coded.length === 0) return {}
  const thread = startThread(options)
  return Object.fromEntries(
    coded.map(({ id, url }): [string, CodeGate] => [
      id,
      (event, state) => thread().ask(id, { url, event: gateEventOf(event), state: gateSnapshotOf(state) }),
    ]),
  )
}

/** If no thread can be started, each gate fails on its own. */
function startThread(options: CodeGateOptions): () => Thread {
  try {
    const thread = new Thread(options)
    return () => thread
  } catch (error) {
    return () => {
      throw error
    }
  }
}

class Thread {
  readonly #asking: CodeGateOptions
  readonly #bell = new Int32Array(new SharedArrayBuffer(4))
  readonly #receive: (port: MessagePort) => { message: CodeGateReply } | undefined
  readonly #worker: Worker
  readonly #port: MessagePort
  /** the total time for code; `#until` is its end, set at the first request */
  readonly #withinMs: number
  #until: number | undefined
  #asked = ''
  /** the gate whose code ended or blocked the thread: later gates get no answer */
  #lostTo: string | undefined

  constructor(options: CodeGateOptions) {
    const threads: typeof import('node:worker_threads') = createRequire(import.meta.url)('node:worker_threads')
    const { port1, port2 } = new threads.MessageChannel()
    const workerData: WorkerChannel = { port: port2, wakeSignal: this.#bell }
    this.#asking = options
    this.#withinMs = codeTimeLimit(options).withinMs
    this.#receive = threads.receiveMessageOnPort
    this.#port = port1
    // the worker has its own streams, which are not read, so that nothing reaches our stdout
    this.#worker = new threads.Worker(options.worker, {
      workerData,
      transferList: [port2],
      stdout: true,
      stderr: true,
    })
    // the worker's `exit` handler reports the error as a reply
    this.#worker.on('error', () => {})
    this.#worker.unref()
    port1.unref()
  }

  ask(id: string, question: CodeGateRequest): Verdict {
    // read the bell before anything else, so that a later ring ends `Atomics.wait`
    const rung = Atomics.load(this.#bell, 0)
    // an answer while no question is open: the thread ended after its last answer
    if (this.#receiveAnswer()) this.#lostTo ??= this.#asked
    if (this.#lostTo !== undefined) throw new Error(notRunText(this.#lostTo))
    this.#asked = id
    const reply = this.#wait(rung, question)
    if (reply === undefined) {
      this.#lostTo = id
      this.#asking.stuck?.()
      void this.#worker.terminate()
      throw new Error(lateText(this.#withinMs))
    }
    if ('verdict' in reply) return parseVerdict(reply.verdict)
    if (reply.ended) this.#lostTo = id
    throw new Error(reply.problem)
  }

  #wait(rung: number, question: CodeGateRequest): CodeGateAnswer | undefined {
    this.#port.postMessage(question)
    this.#until ??= codeTimeLimit(this.#asking).until
    Atomics.wait(this.#bell, 0, rung, Math.max(this.#until - process.uptime() * 1000, 0))
    return this.#receiveAnswer()
  }

  /** Prints the worker's output to stderr and returns the first answer. */
  #receiveAnswer(): CodeGateAnswer | undefined {
    for (let next = this.#receive(this.#port); next; next = this.#receive(this.#port)) {
      if (!('printed' in next.message)) return next.message
      process.stderr.write(next.message.printed)
    }
    return undefined
  }
}

/** The same texts with and without a daemon. */
export const lateText = (withinMs: number): string => `its code did not answer within ${withinMs} ms`
/** The code before it took too long, or ended the process. */
export const notRunText = (before: string): string => `its code did not run, because that of ${before} failed`

/** The time for the code of all gates together, from now on. Some is kept for the record and the reply, which come after the gates. */
export function codeTimeLimit({ budgetMs, lastMs }: Pick<CodeGateOptions, 'budgetMs' | 'lastMs'>) {
  const reserve = Math.min(300, Math.round(budgetMs / 4))
  const withinMs = budgetMs - reserve
  return { withinMs, until: Math.min(process.uptime() * 1000 + withinMs, lastMs - reserve) }
}

const TEXTS = ['reason', 'context', 'message']
const FLAGS = ['continue', 'suppressOutput']

/** `said` is JSON. */
export const parseVerdict = (json: string): Verdict => verdictOf(JSON.parse(json))

export function verdictOf(value: unknown): Verdict {
  if (!isVerdict(value)) throw new Error('its code did not return a verdict: { decision, reason, context, message }')
  return value
}

function isVerdict(value: unknown): value is Verdict {
  if (!isObject(value) || !DECISIONS.some(decision => decision === value.decision)) return false
  if (value.decision !== 'pass' && typeof value.reason !== 'string') return false
  const isKind = (name: string, kind: string) => value[name] === undefined || typeof value[name] === kind
  return TEXTS.every(name => isKind(name, 'string')) && FLAGS.every(name => isKind(name, 'boolean'))
}
