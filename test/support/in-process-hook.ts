import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import type { Ran } from './in-process-sandbox.ts'
import { replyIn } from './reply-in.ts'

const DIST = resolve(import.meta.dirname, '../../dist')
const require = createRequire(import.meta.url)
const load = (file: string) => require(join(DIST, file))

interface Call {
  readonly args: readonly string[]
  readonly input: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
}

/**
 * The hook's own bundle, called in this process: what a process of its own would print, without the 100 to 300 ms that it takes to start.
 * It throws where the program throws: what to print then is up to `bin/signalbox.cjs`, so such a case needs a process.
 */
export async function runHookInProcess({ args, input, env, cwd }: Call): Promise<Ran> {
  // without a pause, case after case would keep the event loop from noticing that a process of another case has ended
  await new Promise(done => setImmediate(done))
  const { SIGNALBOX_APPROVAL: token, ...rest } = env
  const approval = token ? { token, pid: process.pid } : undefined
  const bytes = Buffer.from(input)
  const call = { args, text: bytes.toString('utf8'), bytes, env: rest, cwd, now: Date.now(), approval }
  const { runHook } = load('./engine.cjs')
  const result = await runHook({ ...call, came: process.uptime() * 1000 }, { folder: DIST, load })
  const { exitCode, stdout, stderr } = replyIn(result)
  return { exitCode, stdout: stdout && `${stdout}\n`, stderr: stderr && `${stderr.trimEnd()}\n` }
}
