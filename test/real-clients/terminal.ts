import { type ChildProcess, spawn } from 'node:child_process'
import xterm from '@xterm/headless'
import type { Launch } from './driver.ts'

const SIZE = { cols: 120, rows: 50 }

/** A client in a terminal of its own, and the screen as a person sees it. */
export class TerminalSession {
  private readonly terminal = new xterm.Terminal({ ...SIZE, scrollback: 2000, allowProposedApi: true })
  private readonly child: ChildProcess
  private hasEnded = false

  constructor({ command, args, env }: Launch, cwd: string) {
    // `script` is what gives it a terminal; the size of that one is nothing at first
    const line = `stty rows ${SIZE.rows} cols ${SIZE.cols}; exec ${[command, ...args].map(quoted).join(' ')}`
    const { NO_COLOR: _, ...rest } = env
    this.child = spawn('script', ['-qefc', line, '/dev/null'], {
      ...{ cwd, env: { ...rest, TERM: 'xterm-256color', SHELL: '/bin/sh' }, detached: true },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    this.child.on('exit', () => {
      this.hasEnded = true
    })
    this.child.stdin?.on('error', () => {})
    this.child.stdout?.on('data', chunk => this.terminal.write(chunk))
    // questions of the program (which terminal, where is the cursor) are answered as by a real one
    this.terminal.onData(answer => this.type(answer))
  }

  type(text: string): void {
    this.child.stdin?.write(text)
  }

  /** Each line of the screen, and those that went over its top. */
  get lines(): readonly string[] {
    const { active } = this.terminal.buffer
    return Array.from({ length: active.length }, (_, at) => active.getLine(at)?.translateToString(true) ?? '')
  }

  /** All words in a row, without frames and line ends. */
  get words(): string {
    return this.lines
      .join(' ')
      .replace(/[\u2500-\u259f]/g, ' ')
      .replace(/\s+/g, ' ')
  }

  /** The words once they have something in them; at the end of its time, the words as they are. */
  async shows(wanted: string, timeoutMs: number): Promise<string> {
    const end = Date.now() + timeoutMs
    while (!this.words.includes(wanted) && Date.now() < end && !this.hasEnded)
      await new Promise(done => setTimeout(done, 100))
    return this.words
  }

  end(): void {
    const { pid } = this.child
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL')
    } catch {
      // it has ended
    }
    this.terminal.dispose()
  }
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`
