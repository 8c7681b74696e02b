import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'

/** A policy that an event was evaluated with, and the folder. */
export interface PolicyInUse {
  readonly hash: string
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface PolicyVerifierOptions {
  /** the command that runs `check`, with its arguments */
  readonly command: readonly string[]
  /** whether the policy's result is already known */
  isKnown(hash: string): boolean
  readonly quietMs?: number | undefined
  /** starts a process; tests give one of their own */
  readonly spawn?: (program: string, args: readonly string[], options: SpawnOptions) => ChildProcess
}

/** Starts after this time without an event, or after `MAX_DELAY_MS` at the latest, so that no agent waits for it. */
const QUIET_MS = 2000
const MAX_DELAY_MS = 30_000
const MAX_RUN_MS = 60_000
const MAX_FOLDERS = 256
/** Each entry holds its caller's environment. A dropped policy returns with its next event. */
const MAX_WAITING = 16

/**
 * Verifies every policy that comes into force, in a separate low-priority process, one at a time. It only reports and changes no decision:
 * one-shot processes have no verifier, and both must answer alike.
 */
export class PolicyVerifier {
  readonly #seen = new Map<string, string>()
  readonly #waiting = new Map<string, PolicyInUse>()
  readonly #quietMs: number
  #since = 0
  #timer: NodeJS.Timeout | undefined
  #child: ChildProcess | undefined
  #isOver = false

  constructor(
    private readonly inspecting: PolicyVerifierOptions,
    private readonly log: (line: string) => void,
  ) {
    this.#quietMs = inspecting.quietMs ?? QUIET_MS
  }

  /** The policies that events were evaluated with, the latest in each folder. */
  get inForce(): readonly Pick<PolicyInUse, 'hash' | 'folder'>[] {
    return [...this.#seen].map(([folder, hash]) => ({ folder, hash }))
  }

  /** Called for every event. */
  see(policy: PolicyInUse): void {
    const { hash, folder } = policy
    if (this.#seen.get(folder) !== hash) {
      if (this.#seen.size > MAX_FOLDERS) this.#seen.clear()
      this.#seen.set(folder, hash)
      if (this.#waiting.size === 0) this.#since = Date.now()
      this.#waiting.set(folder, policy)
      const [oldest = ''] = this.#waiting.keys()
      if (this.#waiting.size > MAX_WAITING && this.#waiting.delete(oldest)) this.#seen.delete(oldest)
    }
    if (this.#waiting.size > 0) this.#wait()
  }

  stop(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#child?.kill('SIGKILL')
  }

  /** Every event postpones the verification. */
  #wait(): void {
    clearTimeout(this.#timer)
    const left = Math.max(0, this.#since + MAX_DELAY_MS - Date.now())
    this.#timer = setTimeout(() => this.#next(), Math.min(this.#quietMs, left)).unref()
  }

  #next(): void {
    if (this.#child || this.#isOver) return
    const [first] = this.#waiting.values()
    if (!first) return
    this.#waiting.delete(first.folder)
    if (this.inspecting.isKnown(first.hash)) this.#next()
    else this.#prove(first)
  }

  #prove({ folder, env }: PolicyInUse): void {
    const [program = '', ...args] = this.inspecting.command
    const { NODE_OPTIONS: _, ...own } = env
    const began = Date.now()
    const child = (this.inspecting.spawn ?? spawn)(program, args, {
      cwd: folder,
      env: own,
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: MAX_RUN_MS,
    })
    this.#child = child
    let output = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    const done = (): void => {
      if (this.#child !== child) return
      this.#child = undefined
      if (!this.#isOver)
        this.log(`verification of the policy in ${folder}: ${summarizeCheckOutput(output)}, ${Date.now() - began} ms`)
      if (!this.#isOver && hasDeadlock(output))
        this.log(`ALARM  an agent can get stuck in the policy in ${folder}, which is active; run signalbox check there`)
      this.#since = Date.now()
      if (this.#waiting.size > 0) this.#wait()
    }
    child.on('error', done).on('close', done)
    child.unref()
    lowerPriority(child.pid)
  }
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // the process has already ended
  }
}

/** Whether `check --json` found a state that an agent cannot leave. */
function hasDeadlock(json: string): boolean {
  try {
    const { findings }: { findings: readonly { kind: string; inForce?: boolean }[] } = JSON.parse(json).proof
    return findings.some(({ kind, inForce }) => inForce !== false && (kind === 'deadlock' || kind === 'cannot-end'))
  } catch {
    return false
  }
}

/** The result of `check --json` in one line. */
function summarizeCheckOutput(json: string): string {
  try {
    const { proof } = JSON.parse(json)
    const [first] = proof.findings
    if (first) return `${first.what} (${proof.findings.length} found; \`signalbox check\` shows how)`
    const [open] = proof.inconclusive ?? []
    if (open) return `not certain: ${open.what} (${proof.inconclusive.length} such; \`signalbox check\` shows why)`
    const [unchecked] = proof.unchecked ?? []
    if (unchecked) return `nothing found, but not everything could be checked: ${unchecked}`
    return proof.complete
      ? 'no agent gets stuck'
      : `nothing found${proof.withinSteps ? ` within ${proof.withinSteps} steps` : ''}, not complete`
  } catch {
    return 'the verification failed'
  }
}
