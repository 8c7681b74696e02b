import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { APPROVAL_VARIABLE, newReentrancyMarker, startWatchdog } from '../../../hook/index.ts'
import { tryOr } from '../../../lib/errors.ts'
import { type RepeatUntil, readRegularFile } from '../../../policy/index.ts'
import { redact } from '../../../store/index.ts'
import { TASK_VARIABLE } from '../backends/run-backend.ts'
import { withoutGitVariables } from '../git-changes.ts'

interface UntilContext {
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly timeoutMs: number
  readonly stop: AbortSignal
}

const MAX_OUTPUT = 2000

/** Why a step is not done yet; undefined if it is. */
export async function findUnmetCondition(until: RepeatUntil, where: UntilContext): Promise<string | undefined> {
  if ('run' in until) return runUntilCommand(until.run, where)
  const { file, says } = until
  const text = readTextOrUndefined(join(where.root, file))
  if (text === undefined) return `${file} does not exist`
  return text.includes(says) ? undefined : `${file} does not contain "${says}"`
}

const readTextOrUndefined = (file: string): string | undefined => tryOr(undefined, () => readRegularFile(file))

/** All processes of the command end with it and with us. The command gets no approval. */
async function runUntilCommand(
  line: string,
  { root, env, timeoutMs, stop }: UntilContext,
): Promise<string | undefined> {
  const mark = newReentrancyMarker()
  const watchdog = startWatchdog(mark, env.PATH)
  const { [APPROVAL_VARIABLE]: _, ...own } = withoutGitVariables(env)
  const child = spawn('sh', ['-c', line], {
    cwd: root,
    env: { ...own, [TASK_VARIABLE]: mark },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { pid } = child
  if (pid !== undefined) watchdog.began(pid)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      output = (output + chunk).slice(-MAX_OUTPUT)
    })
  const kill = () => {
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL')
    } catch {
      // the process has already ended
    }
  }
  const timer = setTimeout(kill, Math.min(timeoutMs, 2 ** 31 - 1))
  stop.addEventListener('abort', kill, { once: true })
  // an earlier abort event is not sent again
  if (stop.aborted) kill()
  try {
    const how = await new Promise<string>((done, fail) => {
      child.once('error', fail)
      child.once('exit', (code, signal) => setTimeout(() => done(signal ?? `exit code ${code}`), 50))
      child.once('close', (code, signal) => done(signal ?? `exit code ${code}`))
    })
    return how === 'exit code 0' ? undefined : redact(`\`${line}\` ended with ${how}\n${output.trim()}`.trim())
  } catch (error) {
    return `\`${line}\` could not be run: ${error instanceof Error ? error.message : error}`
  } finally {
    clearTimeout(timer)
    stop.removeEventListener('abort', kill)
    kill()
    await watchdog.finish()
  }
}
