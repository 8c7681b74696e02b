import type { Program } from '../../engine/index.ts'
import { CodeGateProcess } from './code-gate-process.ts'
import type { CodeGateCall, CodeGateProcesses, CodeGates } from './code-gates.ts'
import { codeGatesInProcess } from './code-gates-in-process.ts'
import { ModuleStamps } from './module-stamps.ts'

/** Policies with code gates that have a process at the same time. */
const MOST_PROCESSES = 4

/** The processes that the daemon keeps for code gates: one for each policy, started at its first event, with the modules loaded. */
export class CodeGatePool implements CodeGateProcesses {
  readonly #stamps = new ModuleStamps()
  /** by the modules of the policy, least recently used first */
  readonly #processes = new Map<string, { readonly stamp: string; readonly process: CodeGateProcess }>()

  /** `program` is the bundle of `code-process.ts`. */
  constructor(private readonly program: string) {}

  gatesFor(program: Program, call: CodeGateCall): CodeGates | undefined {
    return codeGatesInProcess(program, modules => this.#processFor(modules), call)
  }

  /** The process that has loaded these modules as they are now. */
  #processFor(modules: readonly string[]): CodeGateProcess {
    const key = modules.join('\n')
    const stamp = this.#stamps.of(modules)
    const known = this.#processes.get(key)
    this.#processes.delete(key)
    if (known && known.stamp !== stamp) known.process.retire()
    const process = known?.stamp === stamp ? known.process : new CodeGateProcess(this.program)
    this.#processes.set(key, { stamp, process })
    for (const [oldest, { process: least }] of this.#processes) {
      if (this.#processes.size <= MOST_PROCESSES) break
      this.#processes.delete(oldest)
      least.retire()
    }
    return process
  }

  end(): void {
    for (const { process } of this.#processes.values()) process.retire()
    this.#processes.clear()
  }
}
