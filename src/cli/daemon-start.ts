import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { askDaemon, isOff, NAMES, readLog, runFolder } from '../daemon/index.ts'
import { foldersOf } from '../runtime/index.ts'
import type { Command, Terminal } from './command.ts'
import { DAEMON_ENV } from './daemon-env.ts'
import { linesOf } from './daemon-status.ts'
import { HOME } from './project.ts'

export const daemonStart: Command = {
  name: 'daemon start',
  summary: 'Start the daemon. Hooks start it themselves: this is for looking at it.',
  usage: '[--json]',
  about: { json: 'what it says of itself, as JSON' },
  example: 'signalbox daemon start',
  options: { json: { type: 'boolean' } },
  async run({ values, terminal }) {
    const { state } = foldersOf(terminal.env)
    if (isOff(terminal.env)) {
      terminal.err('signalbox daemon start: it is off by SIGNALBOX_DAEMON: each hook is a process of its own\n')
      return 2
    }
    const before = await askDaemon(state, 'status')
    const status = before ?? (await started(state, terminal))
    if (!status) {
      terminal.err(`signalbox daemon start: it did not start. ${lastWords(state)}\nHooks work without it.\n`)
      return 2
    }
    if (values.json) terminal.out(`${JSON.stringify(status, null, 2)}\n`)
    else terminal.out(`${linesOf(status, before ? 'RUNNING, as before' : 'RUNNING').join('\n')}\n`)
    return 0
  },
}

const PATIENCE_MS = 5000

/** Detached, in no folder of ours, with nothing open: it outlives this terminal. */
async function started(state: string, { env }: Terminal) {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => DAEMON_ENV.test(name)))
  const bin = join(HOME, 'bin/signalbox.cjs')
  spawn(process.execPath, [bin, 'daemon', 'serve'], { cwd: '/', env: own, detached: true, stdio: 'ignore' }).unref()
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
    const status = await askDaemon(state, 'status')
    if (status) return status
    await new Promise(done => setTimeout(done, 20))
  }
  return undefined
}

const lastWords = (state: string): string => readLog(join(runFolder(state), NAMES.log), { last: 1 })[0] ?? ''
