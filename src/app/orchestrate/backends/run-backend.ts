import { type ChildProcess, spawn } from 'node:child_process'
import { APPROVAL_VARIABLE, newReentrancyMarker, startWatchdog } from '../../../hook/index.ts'
import { isObject } from '../../../lib/json.ts'
import { withoutGitVariables } from '../git-changes.ts'
import { findProgram } from '../plan.ts'
import type { Backend, BackendEvent, BackendFault, BackendUsage, TaskMode } from './backend.ts'
import { backends } from './index.ts'
import { onEachLine } from './line-reader.ts'
import { shortenLine } from './step-text.ts'
import type { BackendTrouble } from './trouble.ts'

export interface BackendTask {
  readonly prompt: string
  readonly mode: TaskMode
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** the approval token; absent: the task changes nothing */
  readonly token?: string | undefined
  /** called before the process gets the task, to bind the approval to its pid */
  readonly bindToProcess?: ((pid: number) => void) | undefined
  /** arguments that the policy adds */
  readonly args: readonly string[]
  readonly timeoutMs: number
  /** aborted when the person stops the task */
  readonly stop: AbortSignal
  readonly onEvent: (event: BackendEvent) => void
}

export interface BackendResult {
  readonly outcome: 'done' | 'failed' | 'stopped'
  readonly trouble?: BackendTrouble
  readonly text: string
  readonly spent?: BackendUsage
  readonly session?: string
  /** files that the backend reports as written */
  readonly files: readonly string[]
}

/** The variable that marks all processes a task starts. */
export const TASK_VARIABLE = 'SIGNALBOX_TASK'
/** time between SIGTERM and SIGKILL */
const GRACE_MS = 1500

/** Runs a backend's program and waits for its end. However it or this process ends, no started process is left over. */
export async function runBackend(backend: Backend, errand: BackendTask): Promise<BackendResult> {
  const program = findProgram(backend.program, errand.env.PATH)
  if (program === undefined) return failedResult({ kind: 'missing', why: '' })
  const mark = newReentrancyMarker()
  const watchdog = startWatchdog(mark, errand.env.PATH)
  const output = new BackendOutput(backend, errand.onEvent)
  try {
    const child = startBackend(program, backend, errand, mark)
    if (child.pid !== undefined) watchdog.began(child.pid)
    const ended = await waitForEnd(child, output, errand)
    if (child.pid !== undefined) watchdog.ended(child.pid)
    return resultOf(ended, output, errand)
  } catch (error) {
    return failedResult({ kind: 'crash', why: error instanceof Error ? error.message : String(error) })
  } finally {
    await watchdog.finish()
  }
}

const failedResult = (problem: BackendTrouble): BackendResult => ({
  outcome: 'failed',
  trouble: problem,
  text: '',
  files: [],
})

function startBackend(
  program: string,
  backend: Backend,
  { mode, args, cwd, prompt, env, token, bindToProcess }: BackendTask,
  mark: string,
) {
  const launch = backend.launch({ mode })
  const words = [...launch.args, ...args, ...(launch.last ?? [])]
  const own = { ...launch.env, [TASK_VARIABLE]: mark, ...(token !== undefined && { [APPROVAL_VARIABLE]: token }) }
  const child = spawn(program, words, {
    cwd,
    env: { ...outsideEnvironment(env), PWD: cwd, ...own },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.on('error', () => {})
  if (child.pid !== undefined) bindToProcess?.(child.pid)
  child.stdin.end(prompt)
  return child
}

/** The environment without the variables of a calling session or git hook, and without another task's approval. */
const outsideEnvironment = (env: BackendTask['env']): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(withoutGitVariables(env)).filter(
      ([name]) => name !== APPROVAL_VARIABLE && !backends.some(backend => backend.session.test(name)),
    ),
  )

type BackendEnd = { readonly by: 'itself'; readonly how: string } | { readonly by: 'time' | 'person' | 'trouble' }

async function waitForEnd(
  child: ChildProcess,
  output: BackendOutput,
  { timeoutMs, stop }: BackendTask,
): Promise<BackendEnd> {
  const gone = new Promise<BackendEnd>((done, fail) => {
    child.once('error', fail)
    child.once('close', (code, signal) => done({ by: 'itself', how: signal ?? `exit code ${code}` }))
    // a leftover process may hold the pipes open forever
    child.once('exit', (code, signal) =>
      setTimeout(() => done({ by: 'itself', how: signal ?? `exit code ${code}` }), 500),
    )
  })
  for (const stream of [child.stdout, child.stderr])
    if (stream) onEachLine(stream, line => output.line(line, stream === child.stdout))
  let timer: NodeJS.Timeout | undefined
  const broken = new Promise<BackendEnd>(done => {
    timer = setTimeout(() => done({ by: 'time' }), Math.min(timeoutMs, 2 ** 31 - 1))
    output.onTrouble = () => done({ by: 'trouble' })
    if (stop.aborted) done({ by: 'person' })
    stop.addEventListener('abort', () => done({ by: 'person' }), { once: true })
  })
  const ended = await Promise.race([gone, broken])
  clearTimeout(timer)
  await endProcessGroup(child, gone)
  // an escaped process that holds the pipes would keep us alive
  child.stdout?.destroy()
  child.stderr?.destroy()
  return ended
}

/** SIGTERM first, so that the backend can clean up. */
async function endProcessGroup({ pid }: ChildProcess, gone: Promise<unknown>): Promise<void> {
  if (pid === undefined) return
  const send = (signal: NodeJS.Signals) => {
    try {
      process.kill(-pid, signal)
    } catch {
      // no process is left
    }
  }
  send('SIGTERM')
  await Promise.race([gone.catch(() => {}), new Promise(done => setTimeout(done, GRACE_MS))])
  send('SIGKILL')
}

function resultOf(ended: BackendEnd, output: BackendOutput, { timeoutMs }: BackendTask): BackendResult {
  const { text, end, files, session, spent } = output
  const report = { text, files, ...(session !== undefined && { session }), ...(spent && { spent }) }
  if (ended.by === 'person') return { outcome: 'stopped', ...report }
  if (ended.by === 'time')
    return {
      outcome: 'failed',
      trouble: { kind: 'hang', why: `it did not finish within ${formatTimeout(timeoutMs)} and was stopped` },
      ...report,
    }
  if (output.trouble) return { outcome: 'failed', trouble: output.trouble, ...report }
  if (end?.ok) return { outcome: 'done', ...report }
  const how = ended.by === 'itself' ? ended.how : ''
  const why = shortenLine(end?.text || output.lastWords || how)
  return { outcome: 'failed', trouble: { kind: output.fault ?? 'crash', why }, ...report }
}

const formatTimeout = (ms: number): string => (ms < 120_000 ? `${ms / 1000} s` : `${Math.round(ms / 60_000)} min`)

/** Collects the output of one run. */
class BackendOutput {
  text = ''
  end: { readonly ok: boolean; readonly text?: string } | undefined
  trouble: BackendTrouble | undefined
  fault: BackendFault | undefined
  spent: BackendUsage | undefined
  session: string | undefined
  lastWords = ''
  onTrouble = (): void => {}
  readonly #files = new Set<string>()
  #isMessageOpen = false

  constructor(
    private readonly backend: Backend,
    private readonly onEvent: (event: BackendEvent) => void,
  ) {}

  get files(): readonly string[] {
    return [...this.#files]
  }

  line(line: string, isOut: boolean): void {
    const value = isOut ? parseJsonLine(line) : undefined
    if (value === undefined && line.trim() !== '' && !/^\s+at /.test(line)) this.lastWords = line.trim()
    for (const event of value ? this.backend.parseLine(value) : (this.backend.parseOtherLine?.(line) ?? []))
      this.#take(event)
  }

  #take(event: BackendEvent): void {
    if (event.kind === 'message') this.text = event.more && this.#isMessageOpen ? this.text + event.text : event.text
    this.#isMessageOpen = event.kind === 'message'
    if (event.kind === 'fault') this.fault = event.fault
    if (event.kind === 'step') this.fault = undefined
    if (event.kind === 'session') this.session = event.id
    if (event.kind === 'spent') this.spent = event.spent
    if (event.kind === 'step' && event.file !== undefined) this.#files.add(event.file)
    if (event.kind === 'ended') {
      this.end = event
      if (event.ok && event.text) this.text = event.text
    }
    if (event.kind === 'trouble') {
      this.trouble = { kind: event.trouble, why: event.why }
      this.onTrouble()
    }
    this.onEvent(event)
  }
}

function parseJsonLine(line: string) {
  if (!line.startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
