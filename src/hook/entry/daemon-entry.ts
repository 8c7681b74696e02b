import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Daemon, DaemonLog, isDaemonOff, RUN_FILES, runFolderOf } from '../daemon/index.ts'
import { foldersOf, unsafeFolderReason, verificationFile } from '../index.ts'
import { createCachedLoader } from './code-cache.ts'
import { DAEMON_VARIABLES } from './daemon-environment.ts'

const IDLE_MS = 30 * 60_000

/** `signalbox daemon serve`, called by `bin/signalbox.cjs`: this process is the daemon, or ends at once because there is one. */
export async function serve(): Promise<void> {
  if (isDaemonOff(process.env)) return
  for (const name of Object.keys(process.env)) if (!DAEMON_VARIABLES.test(name)) delete process.env[name]
  // folders that exports make in a project are as other programs make them; our own files say for whom they are
  process.umask(0o022)
  // an event leaves 150 KB behind that nobody needs: without these V8 lets that grow to 100 MB before it clears up; the compiler in the
  // middle takes 35 MB, and is soon overtaken by the last one
  for (const flag of ['--optimize-for-size', '--semi-space-growth-factor=1', '--no-maglev']) setFlagsFromString(flag)
  const { state } = foldersOf(process.env)
  const folder = import.meta.dirname
  const foreign = unsafeFolderReason(state)
  if (foreign !== undefined) throw new Error(foreign)
  const load = createCachedLoader(folder, join(state, 'code'))
  const engine = load('./engine.cjs')
  const quietMs = Number(process.env.SIGNALBOX_DAEMON_QUIET_MS) || undefined
  const started = await Daemon.start({
    state,
    program: join(folder, 'engine.cjs'),
    libsql: () => engine.loadLibsql(load),
    open: seen => engine.createResidentHook(state, { folder, load, seen }),
    inspecting: {
      command: [process.execPath, join(folder, '../bin/signalbox.cjs'), 'check', '--here', '--json'],
      isKnown: hash => existsSync(verificationFile(state, hash)),
      quietMs,
    },
    quietMs,
    dashboard: [process.execPath, join(folder, 'dashboard.mjs')],
    metrics: process.env.SIGNALBOX_METRICS,
    idleMs: Number(process.env.SIGNALBOX_DAEMON_IDLE_MS) || IDLE_MS,
  }).catch((error: Error) => {
    // who started it has gone, and reads it there
    new DaemonLog(join(runFolderOf(state), RUN_FILES.log)).write(`could not start: ${error.message}`)
    throw error
  })
  if (!started) process.exit(0)
}
