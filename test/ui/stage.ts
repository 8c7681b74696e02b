import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { queryDaemon } from '../../src/hook/daemon/index.ts'
import { BIN, Sandbox } from '../support/sandbox.ts'

const POLICY = readFileSync(resolve(import.meta.dirname, 'story/signalbox.yaml'), 'utf8')
const CLOCK = resolve(import.meta.dirname, 'story/clock.cjs')

/** The browser of the machine; `npm run test:ui` says which. */
export function openBrowser(): Promise<Browser> {
  const isRoot = process.getuid?.() === 0
  return chromium.launch({
    executablePath: process.env.SIGNALBOX_CHROMIUM ?? '/usr/bin/chromium',
    // it refuses to run as root with one
    args: isRoot ? ['--no-sandbox'] : [],
  })
}

/** A project, a home, the real daemon with its dashboard. */
export class Stage {
  readonly sandbox: Sandbox
  readonly #clock: string
  #isPast = false

  constructor(
    policy: string | undefined = POLICY,
    private readonly own: Readonly<Record<string, string>> = {},
  ) {
    this.sandbox = new Sandbox({ project: policy, name: 'shop' })
    this.#clock = join(this.sandbox.folder, 'clock')
  }

  get state(): string {
    return join(this.sandbox.home, 'state')
  }

  get env(): Readonly<Record<string, string>> {
    const { home } = this.sandbox
    const past = { NODE_OPTIONS: `--require ${CLOCK}`, STORY_CLOCK: this.#clock }
    return { PATH: process.env.PATH ?? '', HOME: home, SIGNALBOX_HOME: home, ...this.own, ...(this.#isPast && past) }
  }

  run = (...args: readonly string[]) => this.sandbox.run(args, { env: this.env })

  /** Agents are told of Signalbox: what they call from now on is the native hook, where there is one. */
  async init(...clients: readonly string[]): Promise<void> {
    for (const client of clients) mkdirSync(join(this.sandbox.home, `.${client.split('-', 1)[0]}`), { recursive: true })
    const { exitCode, stderr } = await this.run('init', '--yes', ...clients.flatMap(one => ['--client', one]))
    if (exitCode === null || exitCode > 1) throw new Error(stderr)
  }

  /** From now on it is so long ago, for the daemon too. */
  async setBack(ms: number): Promise<void> {
    writeFileSync(this.#clock, String(ms))
    if (this.#isPast) return
    this.#isPast = true
    spawn(process.execPath, [BIN, 'daemon', 'serve'], { cwd: '/', env: this.env, stdio: 'ignore' })
    while (!(await queryDaemon(this.state, 'status'))) await new Promise(done => setTimeout(done, 20))
  }

  async backToNow(): Promise<void> {
    this.#isPast = false
    await this.run('daemon', 'stop')
  }

  /** As an agent calls it. */
  hook(client: string, payload: unknown): Promise<string> {
    const program = join(this.sandbox.home, 'data/bin/signalbox')
    return new Promise((done, fail) => {
      const child = spawn(program, ['hook', '--client', client], { cwd: this.sandbox.project, env: this.env })
      let said = ''
      child.stdout.on('data', chunk => {
        said += chunk
      })
      child.on('error', fail).on('close', () => done(said))
      child.stdin.end(JSON.stringify(payload))
    })
  }

  /** An address that lets in once. */
  async address(): Promise<string> {
    const { stdout, stderr } = await this.run('ui', '--json')
    if (!stdout) throw new Error(stderr)
    const { url }: { url: string } = JSON.parse(stdout)
    return url
  }

  async close(): Promise<void> {
    await this.run('daemon', 'stop')
    this.sandbox.remove()
  }
}

/** The page, let in. What goes wrong in it is kept. */
export async function enter(context: BrowserContext, address: string): Promise<{ page: Page; wrong: string[] }> {
  const page = await context.newPage()
  const wrong: string[] = []
  page.on('pageerror', error => wrong.push(String(error)))
  page.on('console', message => {
    if (message.type() === 'error') wrong.push(message.text())
  })
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return { page, wrong }
}

/** Pictures are of the widest and the narrowest; what is tested lies between them too: a tablet, half a screen, a page that is zoomed in on. */
export const WIDTHS = [1280, 360] as const
export const BETWEEN = [1180, 1100, 1024, 960, 900, 820, 780, 768, 720] as const
export const THEMES = ['light', 'dark'] as const
