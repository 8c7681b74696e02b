import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Daemon, DaemonLog, isDaemonOff, RUN_FILES, runFolderOf } from '../daemon/index.ts'
import { CodeGatePool, foldersOf, unsafeFolderReason, verificationFile } from '../index.ts'
import { createCachedLoader } from './code-cache.ts'
import { DAEMON_VARIABLES } from './daemon-environment.ts'

const IDLE_MS = 30 * 60_000

/** `signalbox daemon serve`, called by `bin/signalbox.cjs`: this process becomes the daemon, or exits at once if there is one already. */
export async function serve(): Promise<void> {
  if (isDaemonOff(process.env)) return
  for (const name of Object.keys(process.env)) if (!DAEMON_VARIABLES.test(name)) delete process.env[name]
  // folders that exports create in a project get the usual permissions; our own files set theirs explicitly
  process.umask(0o022)
  // an event leaves 150 KB of garbage: without these flags V8 lets it grow to 100 MB before it collects; the Maglev compiler takes 35 MB,
  // and its code is soon replaced by TurboFan's
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
    open: seen =>
      engine.createResidentHook(state, {
        folder,
        load,
        seen,
        codeGateProcesses: new CodeGatePool(join(folder, 'code-process.mjs')),
      }),
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
    // the process that started the daemon is gone, so the log has the reason
    new DaemonLog(join(runFolderOf(state), RUN_FILES.log)).write(`could not start: ${error.message}`)
    throw error
  })
  if (!started) process.exit(0)
}
