import { pathToFileURL } from 'node:url'
import type { CodeGate, Program } from '../../engine/index.ts'
import type { CodeGatePool, CodeGateProcess } from './code-gate-pool.ts'
import { type CodeGateOptions, type CodeGates, codeTimeLimit, parseVerdict } from './code-gates.ts'
import type { CodeProcessRequest } from './code-process.ts'
import { gateEventOf, gateSnapshotOf } from './gate-event.ts'
import type { CodeGateAnswer } from './run-code-gate.ts'

/** The call whose folder and variables the code sees, and its time limits. */
interface PoolOptions extends Omit<CodeGateOptions, 'worker' | 'stuck'>, Pick<CodeProcessRequest, 'cwd' | 'env'> {}

/**
 * The code gates of a policy in the daemon. The daemon must not wait for code while other agents wait for the daemon. So an evaluation
 * notes its questions and passes, a process of the pool answers them, and the evaluation is repeated with the answers.
 */
export function codeGatesFromPool({ gates }: Program, pool: CodeGatePool, options: PoolOptions): CodeGates | undefined {
  const coded = gates.flatMap(({ id, code }) => (code === undefined ? [] : [{ id, code }]))
  if (coded.length === 0) return undefined
  const asked = new AskedCodeGates(pool.processFor(coded.map(({ code }) => code)), options)
  return {
    byGate: Object.fromEntries(coded.map(({ id, code }) => [id, asked.gate(id, pathToFileURL(code).href)])),
    hasOpenQuestions: () => asked.hasOpenQuestions(),
    answerQuestions: () => asked.answerQuestions(),
  }
}

interface Question {
  readonly gate: string
  readonly request: CodeProcessRequest
}

class AskedCodeGates {
  /** by gate, event and state */
  readonly #open = new Map<string, Question>()
  readonly #answers = new Map<string, CodeGateAnswer>()
  #until: number | undefined
  /** the gate whose code ended or blocked the process: later gates get no answer */
  #lostTo: string | undefined

  constructor(
    private readonly process: CodeGateProcess,
    private readonly options: PoolOptions,
  ) {}

  gate(id: string, url: string): CodeGate {
    const { cwd, env } = this.options
    return (event, state) => {
      const request = { url, event: gateEventOf(event), state: gateSnapshotOf(state), cwd, env }
      const key = JSON.stringify([id, request.event, request.state])
      const answer = this.#answers.get(key)
      if (answer !== undefined) {
        if ('said' in answer) return parseVerdict(answer.said)
        throw new Error(answer.problem)
      }
      this.#open.set(key, { gate: id, request })
      return { decision: 'pass' }
    }
  }

  hasOpenQuestions(): boolean {
    return this.#open.size > 0
  }

  /** Returns what the code printed. */
  async answerQuestions(): Promise<string> {
    const { withinMs, until } = codeTimeLimit(this.options)
    this.#until ??= until
    let all = ''
    for (const [key, { gate, request }] of this.#open) {
      if (this.#lostTo !== undefined) {
        this.#answers.set(key, { problem: `its code could not be asked after that of ${this.#lostTo}` })
        continue
      }
      const { answer, printed } = await this.process.ask(request, this.#until)
      all += printed
      if (answer === undefined || 'ended' in answer) this.#lostTo = gate
      this.#answers.set(key, answer ?? { problem: `its code gave no answer within ${withinMs} ms` })
    }
    this.#open.clear()
    return all
  }
}
