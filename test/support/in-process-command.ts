import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Terminal } from '../../src/app/cli/command.ts'
import { main } from '../../src/app/cli/index.ts'

/** What a terminal is sent to forget the line it is in. */
const WIPE = '\r\u001b[K'

interface Answering {
  readonly answer?: string
  readonly isPerson?: boolean
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly width?: number
}

/** A home of one's own, a project, and a person (or nobody) who calls the command in it. */
export class Stage {
  readonly folder = mkdtempSync(join(tmpdir(), 'signalbox-stage-'))
  readonly home = join(this.folder, 'home')
  readonly project = join(this.folder, 'proj')
  /** all that was written, with progress that was wiped away again */
  written = ''

  constructor() {
    mkdirSync(join(this.project, '.git'), { recursive: true })
    mkdirSync(this.home)
    // the word that a person types here
    mkdirSync(join(this.folder, 'bin'))
    writeFileSync(join(this.folder, 'bin/signalbox'), '', { mode: 0o755 })
  }

  /**
   * What is left to read. Progress and how long a proof took show only where more than a second passed: on a busy
   * machine, so a test must not see them.
   */
  get said(): string {
    const parts = this.written.split(WIPE)
    const left = parts.map((part, nth) => (nth < parts.length - 1 ? part.slice(0, part.lastIndexOf('\n') + 1) : part))
    return left.join('').replaceAll(/^(proof .*), \d+\.\d s(?=\)$)/gm, '$1')
  }

  at = (file: string): string => (file.startsWith('~/') ? join(this.home, file.slice(2)) : join(this.project, file))

  put(file: string, content: string | Buffer | object): string {
    const path = this.at(file)
    mkdirSync(dirname(path), { recursive: true })
    const isText = typeof content === 'string' || Buffer.isBuffer(content)
    writeFileSync(path, isText ? content : `${JSON.stringify(content, null, 2)}\n`)
    return path
  }

  text = (file: string): string => readFileSync(this.at(file), 'utf8')
  has = (file: string): boolean => existsSync(this.at(file))
  // biome-ignore lint/suspicious/noExplicitAny: what a test finds in a file of settings
  json = (file: string): any => JSON.parse(this.text(file))

  async run(args: readonly string[], { answer = '', isPerson = true, env = {}, cwd, width = 80 }: Answering = {}) {
    this.written = ''
    const write = (text: string) => {
      this.written += text.replaceAll(this.folder, '')
    }
    const terminal: Terminal = {
      out: write,
      err: write,
      env: { PATH: `${join(this.folder, 'bin')}:/usr/bin:/bin`, HOME: this.home, SIGNALBOX_DAEMON: 'off', ...env },
      cwd: cwd ?? this.project,
      width,
      isPerson,
      canAsk: isPerson,
      window: { out: true, err: true },
      ask: async question => {
        write(question)
        return answer
      },
    }
    return main(args, terminal)
  }

  /** Every file and link, and what it holds; what Signalbox keeps for itself aside. */
  everything(): Readonly<Record<string, string>> {
    const found: [string, string][] = []
    const visit = (folder: string): void => {
      for (const name of readdirSync(folder)) {
        const path = join(folder, name)
        if (path === join(this.home, '.local')) continue
        const stat = lstatSync(path)
        const label = path.slice(this.folder.length)
        if (stat.isSymbolicLink()) found.push([label, `-> ${readlinkSync(path)}`])
        else if (stat.isDirectory()) {
          found.push([`${label}/`, (stat.mode & 0o7777).toString(8)])
          visit(path)
        } else found.push([label, `${(stat.mode & 0o7777).toString(8)} ${readFileSync(path).toString('base64')}`])
      }
    }
    visit(this.folder)
    return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  end = (): void => rmSync(this.folder, { recursive: true, force: true })
}

export async function withStage<T>(work: (stage: Stage) => Promise<T>): Promise<T> {
  const stage = new Stage()
  try {
    return await work(stage)
  } finally {
    stage.end()
  }
}
