import { pathToFileURL } from 'node:url'
import type { CodeGate, Program } from '../../engine/index.ts'
import type { CodeGateProcess } from './code-gate-process.ts'
import { type CodeGateCall, type CodeGates, codeTimeLimit, lateText, notRunText, parseVerdict } from './code-gates.ts'
import type { CodeProcessRequest } from './code-process.ts'
import { gateEventOf, gateSnapshotOf } from './gate-event.ts'
import type { CodeGateAnswer } from './run-code-gate.ts'

/**
 * The code gates of a policy in the daemon. The daemon must not wait for code while other agents wait for the daemon. So an evaluation
 * notes its questions and passes, a process of the pool answers them, and the evaluation is repeated with the answers.
 */
export function codeGatesInProcess(
  { gates }: Program,
  processFor: (modules: readonly string[]) => CodeGateProcess,
  call: CodeGateCall,
): CodeGates | undefined {
  const coded = gates.flatMap(({ id, code }) => (code === undefined ? [] : [{ id, code }]))
  if (coded.length === 0) return undefined
  const inProcess = new ProcessCodeGates(processFor(coded.map(({ code }) => code)), call)
  return {
    byGate: Object.fromEntries(coded.map(({ id, code }) => [id, inProcess.gate(id, pathToFileURL(code).href)])),
    hasOpenQuestions: () => inProcess.hasOpenQuestions(),
    answerQuestions: () => inProcess.answerQuestions(),
  }
}

interface Question {
  readonly gate: string
  readonly request: CodeProcessRequest
}

class ProcessCodeGates {
  /** by gate, event and state */
  readonly #open = new Map<string, Question>()
  readonly #answers = new Map<string, CodeGateAnswer>()
  #until: number | undefined
  /** the gate whose code ended or blocked the process: later gates get no answer */
  #lostTo: string | undefined

  constructor(
    private readonly process: CodeGateProcess,
    private readonly call: CodeGateCall,
  ) {}

  gate(id: string, url: string): CodeGate {
    const { cwd, env } = this.call
    return (event, state) => {
      const request = { url, event: gateEventOf(event), state: gateSnapshotOf(state), cwd, env }
      const key = JSON.stringify([id, request.event, request.state])
      const answer = this.#answers.get(key)
      if (answer !== undefined) {
        if ('verdict' in answer) return parseVerdict(answer.verdict)
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
    const { withinMs, until } = codeTimeLimit(this.call)
    this.#until ??= until
    let all = ''
    for (const [key, { gate, request }] of this.#open) {
      if (this.#lostTo !== undefined) {
        this.#answers.set(key, { problem: notRunText(this.#lostTo) })
        continue
      }
      const { answer, printed } = await this.process.ask(request, this.#until)
      all += printed
      if (answer === undefined || 'ended' in answer) this.#lostTo = gate
      this.#answers.set(key, answer ?? { problem: lateText(withinMs) })
    }
    this.#open.clear()
    return all
  }
}
