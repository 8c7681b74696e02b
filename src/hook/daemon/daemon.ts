import { type Stats, statSync, watch } from 'node:fs'
import { join } from 'node:path'
import { statIfExists } from '../../lib/files.ts'
import { acquireFileLock, type FileLock, journalModeFor, type LibsqlConstructor } from '../../store/index.ts'
import { BUILD, VERSION } from '../index.ts'
import { DaemonLog } from './daemon-log.ts'
import { DashboardProcess } from './dashboard-process.ts'
import { MetricsServer } from './metrics-server.ts'
import { type PolicyInUse, PolicyVerifier, type PolicyVerifierOptions } from './policy-verifier.ts'
import { findOwnResourceLimit } from './resource-limits.ts'
import {
  enterRunFolder,
  isSameFile,
  publishSocket,
  RUN_FILES,
  readMetricsSetting,
  runFolderOf,
  withdrawSocket,
  writeToken,
} from './run-folder.ts'
import { type DaemonHost, DaemonServer, errorLocation } from './server.ts'
import { StatsWorker } from './stats-worker.ts'

/** The hook inside the daemon. */
export interface ResidentHook extends Pick<DaemonHost, 'answer'> {
  abort(why: Error): void
  readonly policies: number
  close(): void
}

export interface DaemonOptions {
  readonly state: string
  /** a file of the program: if it is replaced, the program is another */
  readonly program: string
  readonly libsql: () => LibsqlConstructor
  /** `seen` is called with the policy of every event */
  readonly open: (seen: (policy: PolicyInUse) => void) => ResidentHook
  /** how policies are verified; undefined: they are not */
  readonly inspecting?: PolicyVerifierOptions | undefined
  /** time without work after which the daemon exits */
  readonly idleMs: number
  /** time without an event before background work starts */
  readonly quietMs?: number | undefined
  /** the command that starts the dashboard; undefined: there is none */
  readonly dashboard?: readonly string[] | undefined
  /** the address of the metrics server; absent: as the file in the run folder says */
  readonly metrics?: string | undefined
}

/** How often the daemon checks that clients still find it. A change of its folder is noticed at once. */
const SELF_CHECK_MS = 5000
/** Minimum age before another build replaces it: two installations in turn would only restart daemons. */
const MIN_AGE_MS = 5000
/** for clients that have connected but are not accepted yet */
const DRAIN_MS = 50
const HAND_OVER_MS = 400

/** Why the daemon did not start: reported to the process that started it, and in the log. */
class DaemonStartError extends Error {}

/** The daemon of a state folder. It exits when it is no longer needed, or no longer the right one. */
export class Daemon {
  readonly #log = new DaemonLog(RUN_FILES.log)
  readonly #born = uptimeMs()
  readonly #program: Stats
  readonly #lockFile: Stats
  readonly #server: DaemonServer
  readonly #resident: ResidentHook
  readonly #inspector: PolicyVerifier | undefined
  readonly #accountant: StatsWorker
  readonly #metrics: MetricsServer
  readonly #dashboard: DashboardProcess
  #socket: Stats | undefined
  #isLeaving = false

  private constructor(
    private readonly setting: DaemonOptions,
    private readonly lock: FileLock,
  ) {
    this.#program = statSync(setting.program)
    this.#lockFile = statSync(RUN_FILES.lock)
    const { inspecting } = setting
    this.#inspector = inspecting && new PolicyVerifier(inspecting, line => this.#log.write(line))
    this.#resident = setting.open(policy => {
      this.#inspector?.see(policy)
      this.#accountant.see()
    })
    const log = (line: string) => this.#log.write(line)
    const { state, libsql, quietMs } = setting
    this.#accountant = new StatsWorker({ state, libsql, quietMs, log, isBusy: () => this.#server.events > 0 })
    this.#metrics = new MetricsServer(() => this.#accountant.text(), log)
    this.#dashboard = new DashboardProcess(setting.dashboard ?? [], log)
    this.#server = new DaemonServer({
      token: writeToken(),
      answer: visit => this.#resident.answer(visit),
      control: (command, args) => this.#control(command, args),
      isOutdated: build => this.#isOutdated(build),
      log: line => this.#log.write(line),
    })
  }

  /** Undefined: there is a daemon already. */
  static async start(setting: DaemonOptions): Promise<Daemon | undefined> {
    enterRunFolder(setting.state)
    if (journalModeFor(setting.state) === 'delete')
      throw new DaemonStartError('the state folder is on a network file system, where the daemon does not run')
    const limit = findOwnResourceLimit()
    if (limit !== undefined) throw new DaemonStartError(`the daemon does not run: ${limit}`)
    const lock = await waitForLock(setting.libsql)
    if (!lock) return undefined
    const daemon = new Daemon(setting, lock)
    await daemon.#open()
    return daemon
  }

  async #open(): Promise<void> {
    const made = `${RUN_FILES.socket}.${process.pid}`
    await this.#server.listen(made)
    this.#socket = publishSocket(made)
    this.#log.write(`started: serves ${this.setting.state} (${VERSION}, build ${BUILD}, Node ${process.version})`)
    this.#listenForMetrics()
    this.#guard()
  }

  #listenForMetrics(): void {
    this.#metrics.listenAt(this.setting.metrics ?? readMetricsSetting())
  }

  #guard(): void {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
      process.on(signal, () => (this.#isLeaving ? process.exit(0) : this.#leave(`signal ${signal}`)))
    for (const event of ['uncaughtException', 'unhandledRejection'] as const)
      process.on(event, (error: unknown) => {
        this.#log.write(`${event}: ${errorLocation(error)}`)
        this.#resident.abort(new Error('the daemon had an unexpected error and restarts'))
        this.#leave('an unexpected error')
      })
    setInterval(() => this.#look(), Math.min(SELF_CHECK_MS, this.setting.idleMs)).unref()
    try {
      watch('.', () => this.#look())
        .on('error', () => {})
        .unref()
    } catch {
      // the interval notices it too
    }
  }

  #look(): void {
    const { idleMs, program } = this.setting
    const worked = Math.max(this.#server.lastAt, this.#metrics.lastAt)
    if (!this.#isLeaving) this.#listenForMetrics()
    const isUsed = this.#server.connections > 0 || this.#dashboard.pages > 0
    if (uptimeMs() > worked + idleMs && !isUsed) this.#leave('idle')
    else if (this.#socket && !this.#isFound(RUN_FILES.socket, this.#socket)) this.#leave('its socket no longer exists')
    else if (!this.#isFound(RUN_FILES.lock, this.#lockFile)) this.#leave('its lock no longer exists')
    else if (!this.#isProgram()) this.#leave(`${program} has changed`)
  }

  /** Compares by the path that clients use: the folder of this process may have been moved. */
  #isFound = (name: string, own: Stats): boolean => isSameFile(join(runFolderOf(this.setting.state), name), own)

  #isProgram(): boolean {
    const found = statIfExists(this.setting.program)
    const { ino, dev, mtimeMs, size } = this.#program
    return found?.ino === ino && found.dev === dev && found.mtimeMs === mtimeMs && found.size === size
  }

  #isOutdated(build: string): boolean {
    // clients read the build for every call, and another program has another build
    if (build === BUILD) return false
    if (!this.#isProgram()) {
      this.#leave('the program has changed')
      return true
    }
    // requests that arrived before it left are answered
    if (this.#isLeaving || build === '') return false
    if (uptimeMs() > this.#born + MIN_AGE_MS)
      this.#leave(`a hook of another build called: ${JSON.stringify(build.slice(0, 64))}`)
    return true
  }

  #control(command: string, [port = '', folder = '']: readonly string[]): string {
    if (command === 'ui' && !this.#isLeaving) this.#dashboard.start(port, folder)
    if (command === 'stop') setImmediate(() => this.#leave('`signalbox daemon stop`'))
    const { rss } = process.memoryUsage()
    const { answered, connections } = this.#server
    const status = {
      pid: process.pid,
      version: VERSION,
      build: BUILD,
      node: process.version,
      upMs: uptimeMs() - this.#born,
    }
    const { policies } = this.#resident
    const { state: metrics } = this.#metrics
    const dashboard = this.#dashboard.status
    const { inForce = [] } = this.#inspector ?? {}
    const counted = { answered, connections: connections - 1, policies, inForce, rss }
    return JSON.stringify({ ...status, ...counted, metrics, ...dashboard })
  }

  /** New clients find no socket and can start another daemon. Accepted requests are still answered. */
  #leave(why: string): void {
    if (this.#isLeaving) return
    this.#isLeaving = true
    this.#log.write(`stops: ${why}`)
    this.#inspector?.stop()
    this.#accountant.stop()
    this.#metrics.shut()
    this.#dashboard.stop()
    try {
      if (this.#socket) withdrawSocket(this.#socket)
      this.lock.release()
    } catch (error) {
      this.#log.write(`could not remove its own files: ${errorLocation(error)}`)
    }
    setTimeout(() => void this.#end(), DRAIN_MS)
  }

  async #end(): Promise<void> {
    this.#server.shut()
    await this.#server.empty()
    try {
      this.#resident.close()
    } finally {
      process.exit(0)
    }
  }
}

/** Waits a moment, since the previous daemon may be about to exit. */
async function waitForLock(libsql: () => LibsqlConstructor): Promise<FileLock | undefined> {
  for (const end = uptimeMs() + HAND_OVER_MS; ; ) {
    const lock = acquireFileLock(RUN_FILES.lock, libsql)
    if (lock || uptimeMs() > end) return lock
    await new Promise(done => setTimeout(done, 20))
  }
}

const uptimeMs = (): number => process.uptime() * 1000
