import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { isObject } from '../../../../lib/json.ts'
import { PROGRAM_FOLDER } from '../../../../lib/program-folder.ts'
import type { PolicyFinding, VerificationState } from '../../../dashboard/index.ts'
import { readStoredVerification } from '../check/stored-verification.ts'

const MAX_MS = 60_000
const MAX_STORED = 32

type Environment = Readonly<Record<string, string | undefined>>

/** Runs requested proofs one at a time, each in its own process, and caches them by the policy's hash. */
export class VerificationQueue {
  readonly #known = new Map<string, VerificationState>()
  #running: { readonly hash: string; readonly since: number } | undefined

  constructor(
    private readonly state: string,
    private readonly env: Environment,
  ) {}

  /** The known result. `begins`: starts a proof if there is none. */
  of(hash: string, root: string, { begins }: { readonly begins: boolean }): VerificationState {
    if (this.#running?.hash === hash) return { state: 'running', sinceMs: Date.now() - this.#running.since }
    const known = this.#known.get(hash)
    if (known) return known
    if (!begins) return this.#remembered(hash)
    // another proof is running: this one starts with a later request
    if (!this.#running) this.#prove(hash, root)
    return { state: 'running', sinceMs: 0 }
  }

  /** The stored result of the daemon or `signalbox check`: the verdict and one line per counterexample. */
  #remembered(hash: string): VerificationState {
    const found = readStoredVerification(this.state, hash)
    return found
      ? {
          state: 'done',
          complete: found.complete,
          isShort: true,
          notes: [],
          findings: found.findings.map(({ kind, what, how, fix }) => ({
            ...{ kind, what },
            ...(how !== undefined && { how }),
            ...(fix !== undefined && { fix: [parseFix(fix)] }),
          })),
        }
      : { state: 'unknown' }
  }

  #prove(hash: string, root: string): void {
    this.#running = { hash, since: Date.now() }
    const args = [join(PROGRAM_FOLDER, 'bin/signalbox.cjs'), 'check', '--here', '--json']
    const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore']
    const child = spawn(process.execPath, args, { cwd: root, env: this.env, stdio, timeout: MAX_MS })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    const done = (): void => {
      if (this.#running?.hash !== hash) return
      this.#running = undefined
      if (this.#known.size >= MAX_STORED) this.#known.clear()
      this.#known.set(hash, parseCheckOutput(output))
    }
    child.on('error', done).on('close', done).unref()
  }
}

/** `signalbox.yaml:9 add …` */
function parseFix(text: string): { readonly at: string; readonly advice: string } {
  const [at = '', ...advice] = text.split(' ')
  return { at, advice: advice.join(' ') }
}

/** Parses the output of `check --json`. */
function parseCheckOutput(output: string): VerificationState {
  try {
    const { proof } = JSON.parse(output)
    if (!isObject(proof) || !Array.isArray(proof.findings)) throw new Error('the verifier gave no result')
    return {
      state: 'done',
      complete: proof.proven === true || (proof.findings.length > 0 && proof.complete === true),
      states: Number(proof.states),
      tookMs: Number(proof.tookMs),
      notes: [proof.unchecked, proof.notes].flatMap(list => (Array.isArray(list) ? list.map(String) : [])),
      findings: [...proof.findings, ...(Array.isArray(proof.inconclusive) ? proof.inconclusive : [])].map(
        toProofFinding,
      ),
    }
  } catch {
    return { state: 'failed', error: `it did not finish within ${MAX_MS / 1000} s` }
  }
}

/** The output comes from the same program, so its form is not checked. */
const toProofFinding = (value: unknown): PolicyFinding => JSON.parse(JSON.stringify(value))
