import { type ChildProcess, spawn } from 'node:child_process'

/** one that fails again and again is left alone */
const RESTART_MS = 10_000

/**
 * The dashboard is a process of its own: whatever it is asked and however long that takes, no hook waits for it. Here is only what
 * starts it, and knows whether anybody looks.
 */
export class DashboardProcess {
  /** how many pages are open */
  pages = 0
  #child: ChildProcess | undefined
  #started: { readonly port: string; readonly folder: string; readonly at: number } | undefined
  #isOver = false

  constructor(
    private readonly command: readonly string[],
    private readonly log: (line: string) => void,
  ) {}

  get told() {
    const pid = this.#child?.pid
    return pid === undefined ? {} : { dashboard: { pid, pages: this.pages } }
  }

  /** Where there is none. One at another port than the one that is asked for is replaced: it goes when it sees the next one at work. */
  start(port: string, folder: string): void {
    if (this.#isOver || this.command.length === 0) return
    if (this.#child && (port === '' || port === this.#started?.port)) {
      // a page that opens now is of this folder
      if (this.#child.connected) this.#child.send(folder, () => {})
      if (this.#started) this.#started = { ...this.#started, folder }
      return
    }
    this.#spawn(port, folder)
  }

  /** At once: it may be busy, and writes nothing that matters. */
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
    child.on('message', (told: unknown) => {
      if (this.#child === child && typeof told === 'number') this.pages = told
    })
    const ended = (why: string): void => {
      if (this.#child !== child) return
      const hadPages = this.pages > 0
      this.#child = undefined
      this.pages = 0
      if (this.#isOver) return
      this.log(`the dashboard ended: ${why}`)
      if (before && before.child.exitCode === null && before.child.signalCode === null) {
        // the port that was asked for is not to be had
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
    this.log(`serves the dashboard, process ${child.pid}`)
  }
}
