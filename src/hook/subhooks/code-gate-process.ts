import type { ChildProcess } from 'node:child_process'
import { createRequire } from 'node:module'
import type { CodeProcessRequest } from './code-process.ts'
import { CODE_ENDED, type CodeGateAnswer, type CodeGateReply } from './run-code-gate.ts'

const IDLE_MS = 10 * 60_000

/** What the code answered, and what it printed. */
export interface ProcessAnswer {
  /** absent: none in time */
  readonly answer?: CodeGateAnswer | undefined
  readonly printed: string
}

/** A process that runs code gates, one request at a time. It is restarted when it has ended or was killed. */
export class CodeGateProcess {
  #child: ChildProcess | undefined
  #idle: NodeJS.Timeout | undefined
  /** resolves when all requests so far are answered */
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #isRetired = false

  constructor(private readonly program: string) {}

  /** `untilMs` is on the process's own clock. */
  ask(request: CodeProcessRequest, untilMs: number): Promise<ProcessAnswer> {
    this.#waiting++
    clearTimeout(this.#idle)
    const exchange = this.#last.then(() => this.#exchange(request, untilMs))
    this.#last = exchange.then(() => this.#rest())
    return exchange
  }

  /** Ends the process after its last request. */
  retire(): void {
    this.#isRetired = true
    if (this.#waiting === 0) this.#kill()
  }

  #rest(): void {
    this.#waiting--
    if (this.#waiting > 0) return
    if (this.#isRetired) this.#kill()
    else this.#idle = setTimeout(() => this.#kill(), IDLE_MS).unref()
  }

  #kill(): void {
    clearTimeout(this.#idle)
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }

  #exchange(request: CodeProcessRequest, untilMs: number): Promise<ProcessAnswer> {
    const left = untilMs - process.uptime() * 1000
    if (left <= 0) return Promise.resolve({ printed: '' })
    return new Promise(done => {
      let printed = ''
      const child = this.#running()
      const finish = (answer: CodeGateAnswer | undefined) => {
        clearTimeout(timer)
        child.off('message', onReply).off('exit', leaf).off('error', leaf)
        // what has no answer loops or waits: only the kernel can end it
        if (answer === undefined || 'ended' in answer) this.#kill()
        done({ answer, printed })
      }
      const onReply = (reply: CodeGateReply) => {
        if ('printed' in reply) printed += reply.printed
        else finish(reply)
      }
      const leaf = () => finish({ problem: CODE_ENDED, ended: true })
      const timer = setTimeout(() => finish(undefined), left)
      child.on('message', onReply).on('exit', leaf).on('error', leaf)
      child.send(request, error => error && leaf())
    })
  }

  #running(): ChildProcess {
    if (this.#child?.connected) return this.#child
    const { fork }: typeof import('node:child_process') = createRequire(import.meta.url)('node:child_process')
    const child = fork(this.program, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], serialization: 'advanced' })
    // an error between two requests is reported with the next one
    child.on('error', () => {})
    child.unref()
    child.channel?.unref()
    this.#child = child
    return child
  }
}
