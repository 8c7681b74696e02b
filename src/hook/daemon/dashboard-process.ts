import { type ChildProcess, spawn } from 'node:child_process'

/** a dashboard that fails again within this time is not restarted */
const RESTART_MS = 10_000

/** The dashboard is a separate process, so that no hook waits for its queries. This class starts it and knows how many pages are open. */
export class DashboardProcess {
  /** number of open pages */
  pages = 0
  #child: ChildProcess | undefined
  #started: { readonly port: string; readonly folder: string; readonly at: number } | undefined
  #isOver = false

  constructor(
    private readonly command: readonly string[],
    private readonly log: (line: string) => void,
  ) {}

  get status() {
    const pid = this.#child?.pid
    return pid === undefined ? {} : { dashboard: { pid, pages: this.pages } }
  }

  /** Starts the dashboard if there is none. A dashboard on another port is replaced: it exits when it sees that the new one works. */
  start(port: string, folder: string): void {
    if (this.#isOver || this.command.length === 0) return
    if (this.#child && (port === '' || port === this.#started?.port)) {
      // pages that open from now on show this folder
      if (this.#child.connected) this.#child.send(folder, () => {})
      if (this.#started) this.#started = { ...this.#started, folder }
      return
    }
    this.#spawn(port, folder)
  }

  /** Kills it at once: it may be busy, and it writes nothing important. */
  stop(): void {
    this.#isOver = true
    this.#child?.kill('SIGKILL')
  }

  #spawn(port: string, folder: string): void {
    const before = this.#child && { child: this.#child, started: this.#started, pages: this.pages }
    const [program = '', ...args] = this.command
    const child = spawn(program, [...args, port, folder], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    this.#child = child
    this.#started = { port, folder, at: Date.now() }
    child.on('message', (message: unknown) => {
      if (this.#child === child && typeof message === 'number') this.pages = message
    })
    const ended = (why: string): void => {
      if (this.#child !== child) return
      const hadPages = this.pages > 0
      this.#child = undefined
      this.pages = 0
      if (this.#isOver) return
      this.log(`the dashboard stopped: ${why}`)
      if (before && before.child.exitCode === null && before.child.signalCode === null) {
        // the requested port is not available
        this.#child = before.child
        this.#started = before.started
        this.pages = before.pages
        return
      }
      const { at = 0 } = this.#started ?? {}
      if (hadPages && Date.now() - at > RESTART_MS) this.#spawn(port, this.#started?.folder ?? folder)
    }
    child.on('error', error => ended(error.message)).on('exit', (code, signal) => ended(String(signal ?? code)))
    child.unref()
    child.channel?.unref()
    this.log(`started the dashboard, process ${child.pid}`)
  }
}
