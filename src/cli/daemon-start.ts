import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { addressIn, askDaemon, isOff, NAMES, readLog, runFolder, writeMetrics } from '../daemon/index.ts'
import { foldersOf } from '../runtime/index.ts'
import type { Command, Terminal } from './command.ts'
import { DAEMON_ENV } from './daemon-env.ts'
import { linesOf } from './daemon-status.ts'
import { HOME } from './project.ts'

export const daemonStart: Command = {
  name: 'daemon start',
  summary: 'Start the daemon. Hooks start it themselves: this is for looking at it.',
  usage: '[--metrics ADDRESS|off] [--json]',
  about: {
    metrics: 'tell Prometheus at http://ADDRESS/metrics from now on, e.g. 127.0.0.1:9464',
    json: 'what it says of itself, as JSON',
  },
  example: 'signalbox daemon start',
  options: { metrics: { type: 'string' }, json: { type: 'boolean' } },
  async run({ values, terminal }) {
    const { state } = foldersOf(terminal.env)
    if (isOff(terminal.env)) {
      terminal.err('signalbox daemon start: it is off by SIGNALBOX_DAEMON: each hook is a process of its own\n')
      return 2
    }
    const problem = values.metrics === undefined ? undefined : setMetrics(state, String(values.metrics))
    if (problem !== undefined) {
      terminal.err(`signalbox daemon start: ${problem}\n`)
      return 2
    }
    const began = new Date().toISOString()
    const before = await askDaemon(state, 'status')
    const status = before ?? (await started(state, terminal))
    if (!status) {
      terminal.err(`signalbox daemon start: it did not start. ${lastWords(state, began)}\nHooks work without it.\n`)
      return 2
    }
    if (values.json) terminal.out(`${JSON.stringify(status, null, 2)}\n`)
    else terminal.out(`${linesOf(status, before ? 'RUNNING, as before' : 'RUNNING').join('\n')}\n`)
    return 0
  },
}

/** Kept beside the daemon, who looks: hooks start it too. */
function setMetrics(state: string, text: string): string | undefined {
  const address = addressIn(text)
  if (typeof address === 'string') return address
  return writeMetrics(state, address ? text.trim() : 'off') ? undefined : 'the setting cannot be written'
}

const PATIENCE_MS = 5000

/** Detached, in no folder of ours, with nothing open: it outlives this terminal. */
export async function started(state: string, { env }: Pick<Terminal, 'env'>) {
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

/** Of this one, not of one that ran before: its lines begin with their time. */
const lastWords = (state: string, began: string): string =>
  readLog(join(runFolder(state), NAMES.log), { last: 1 }).find(line => line >= began) ??
  `Can ${runFolder(state)} be written?`
