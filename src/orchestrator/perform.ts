import { type ChildProcess, spawn } from 'node:child_process'
import { isObject } from '../pattern/index.ts'
import { APPROVAL, newMark, startWatchdog } from '../runtime/index.ts'
import type { Backend, Mode, Spent, Told } from './backend.ts'
import { backends } from './backends/index.ts'
import { withoutRepository } from './changes.ts'
import { onLines } from './lines.ts'
import { findProgram } from './plan.ts'
import { short } from './step.ts'
import type { Fault, Trouble } from './trouble.ts'

export interface Errand {
  readonly prompt: string
  readonly mode: Mode
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** what approves it; absent: it changes nothing */
  readonly token?: string | undefined
  /** before it gets the task: it is this process that is approved */
  readonly handTo?: ((pid: number) => void) | undefined
  /** what the policy adds to its arguments */
  readonly args: readonly string[]
  readonly timeoutMs: number
  /** the person does not want it any more */
  readonly stop: AbortSignal
  readonly tell: (told: Told) => void
}

export interface Performance {
  readonly outcome: 'done' | 'failed' | 'stopped'
  readonly trouble?: Trouble
  readonly text: string
  readonly spent?: Spent
  readonly session?: string
  /** files it says it has written */
  readonly files: readonly string[]
}

/** The variable by which whoever it has started is known, wherever it went. */
export const TASK = 'SIGNALBOX_TASK'
/** between asking it to end and ending it */
const GRACE_MS = 1500

/** Runs a backend's program and waits for its end. Whatever ends it, or us: nothing that it has started is left. */
export async function perform(backend: Backend, errand: Errand): Promise<Performance> {
  const program = findProgram(backend.program, errand.env.PATH)
  if (program === undefined) return failed({ kind: 'missing', why: '' })
  const mark = newMark()
  const watchdog = startWatchdog(mark, errand.env.PATH)
  const hearing = new Hearing(backend, errand.tell)
  try {
    const child = start(program, backend, errand, mark)
    if (child.pid !== undefined) watchdog.began(child.pid)
    const ended = await ending(child, hearing, errand)
    if (child.pid !== undefined) watchdog.ended(child.pid)
    return resultOf(ended, hearing, errand)
  } catch (error) {
    return failed({ kind: 'crash', why: error instanceof Error ? error.message : String(error) })
  } finally {
    await watchdog.finish()
  }
}

const failed = (trouble: Trouble): Performance => ({ outcome: 'failed', trouble, text: '', files: [] })

function start(
  program: string,
  backend: Backend,
  { mode, args, cwd, prompt, env, token, handTo }: Errand,
  mark: string,
) {
  const launch = backend.launch({ mode })
  const words = [...launch.args, ...args, ...(launch.last ?? [])]
  const own = { ...launch.env, [TASK]: mark, ...(token !== undefined && { [APPROVAL]: token }) }
  const child = spawn(program, words, {
    cwd,
    env: { ...outside(env), PWD: cwd, ...own },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.on('error', () => {})
  if (child.pid !== undefined) handTo?.(child.pid)
  child.stdin.end(prompt)
  return child
}

/** Without what makes it a part of the session or of the git hook that called us, and without another task's approval. */
const outside = (env: Errand['env']): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(withoutRepository(env)).filter(
      ([name]) => name !== APPROVAL && !backends.some(one => one.session.test(name)),
    ),
  )

type Ended = { readonly by: 'itself'; readonly how: string } | { readonly by: 'time' | 'person' | 'trouble' }

async function ending(child: ChildProcess, hearing: Hearing, { timeoutMs, stop }: Errand): Promise<Ended> {
  const gone = new Promise<Ended>((done, fail) => {
    child.once('error', fail)
    child.once('close', (code, signal) => done({ by: 'itself', how: signal ?? `exit code ${code}` }))
    // who holds its pipes may stay for ever
    child.once('exit', (code, signal) =>
      setTimeout(() => done({ by: 'itself', how: signal ?? `exit code ${code}` }), 500),
    )
  })
  for (const stream of [child.stdout, child.stderr])
    if (stream) onLines(stream, line => hearing.line(line, stream === child.stdout))
  let timer: NodeJS.Timeout | undefined
  const broken = new Promise<Ended>(done => {
    timer = setTimeout(() => done({ by: 'time' }), Math.min(timeoutMs, 2 ** 31 - 1))
    hearing.onTrouble = () => done({ by: 'trouble' })
    if (stop.aborted) done({ by: 'person' })
    stop.addEventListener('abort', () => done({ by: 'person' }), { once: true })
  })
  const ended = await Promise.race([gone, broken])
  clearTimeout(timer)
  await endGroup(child, gone)
  // who got away and holds them would keep us
  child.stdout?.destroy()
  child.stderr?.destroy()
  return ended
}

/** Asked first: it may have something to put away. */
async function endGroup({ pid }: ChildProcess, gone: Promise<unknown>): Promise<void> {
  if (pid === undefined) return
  const send = (signal: NodeJS.Signals) => {
    try {
      process.kill(-pid, signal)
    } catch {
      // nobody is left
    }
  }
  send('SIGTERM')
  await Promise.race([gone.catch(() => {}), new Promise(done => setTimeout(done, GRACE_MS))])
  send('SIGKILL')
}

function resultOf(ended: Ended, hearing: Hearing, { timeoutMs }: Errand): Performance {
  const { text, end, files, session, spent } = hearing
  const told = { text, files, ...(session !== undefined && { session }), ...(spent && { spent }) }
  if (ended.by === 'person') return { outcome: 'stopped', ...told }
  if (ended.by === 'time')
    return {
      outcome: 'failed',
      trouble: { kind: 'hang', why: `it was not done within ${spanOf(timeoutMs)}, and was ended` },
      ...told,
    }
  if (hearing.trouble) return { outcome: 'failed', trouble: hearing.trouble, ...told }
  if (end?.ok) return { outcome: 'done', ...told }
  const how = ended.by === 'itself' ? ended.how : ''
  const why = short(end?.text || hearing.lastWords || how)
  return { outcome: 'failed', trouble: { kind: hearing.fault ?? 'crash', why }, ...told }
}

const spanOf = (ms: number): string => (ms < 120_000 ? `${ms / 1000} s` : `${Math.round(ms / 60_000)} min`)

/** All that was heard of one run. */
class Hearing {
  text = ''
  end: { readonly ok: boolean; readonly text?: string } | undefined
  trouble: Trouble | undefined
  fault: Fault | undefined
  spent: Spent | undefined
  session: string | undefined
  lastWords = ''
  onTrouble = (): void => {}
  readonly #files = new Set<string>()
  #isSaying = false

  constructor(
    private readonly backend: Backend,
    private readonly tell: (told: Told) => void,
  ) {}

  get files(): readonly string[] {
    return [...this.#files]
  }

  line(line: string, isOut: boolean): void {
    const value = isOut ? parse(line) : undefined
    if (value === undefined && line.trim() !== '' && !/^\s+at /.test(line)) this.lastWords = line.trim()
    for (const told of value ? this.backend.hear(value) : (this.backend.overhear?.(line) ?? [])) this.#take(told)
  }

  #take(told: Told): void {
    if (told.kind === 'said') this.text = told.more && this.#isSaying ? this.text + told.text : told.text
    this.#isSaying = told.kind === 'said'
    if (told.kind === 'fault') this.fault = told.fault
    if (told.kind === 'step') this.fault = undefined
    if (told.kind === 'session') this.session = told.id
    if (told.kind === 'spent') this.spent = told.spent
    if (told.kind === 'step' && told.file !== undefined) this.#files.add(told.file)
    if (told.kind === 'ended') {
      this.end = told
      if (told.ok && told.text) this.text = told.text
    }
    if (told.kind === 'trouble') {
      this.trouble = { kind: told.trouble, why: told.why }
      this.onTrouble()
    }
    this.tell(told)
  }
}

function parse(line: string) {
  if (!line.startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
