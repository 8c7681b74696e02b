import { spawn } from 'node:child_process'
import { join } from 'node:path'
import {
  type DaemonStatus,
  isDaemonOff,
  parseMetricsAddress,
  queryDaemon,
  RUN_FILES,
  readDaemonLog,
  runFolderOf,
  writeMetricsSetting,
} from '../../../../hook/daemon/index.ts'
import { DAEMON_VARIABLES } from '../../../../hook/entry/daemon-environment.ts'
import { foldersOf } from '../../../../hook/index.ts'
import { PROGRAM_FOLDER } from '../../../../lib/program-folder.ts'
import { commandNameHere } from '../../../install/index.ts'
import type { Command, Terminal } from '../../command.ts'
import { installPathsOf } from '../../environment.ts'
import { daemonStatusLines, metricsText } from './daemon-status.ts'

export const daemonStartCommand: Command = {
  name: 'daemon start',
  summary: 'Start the daemon. You rarely need this: hooks start it themselves.',
  usage: '[--metrics ADDRESS|off] [--json]',
  example: 'signalbox daemon start',
  options: {
    metrics: {
      type: 'string',
      about: 'serve Prometheus metrics at http://ADDRESS/metrics from now on, e.g. 127.0.0.1:9464',
    },
    json: { type: 'boolean', about: 'the status as JSON' },
  },
  async run({ values, terminal }) {
    const { state } = foldersOf(terminal.env)
    const me = commandNameHere(installPathsOf(terminal))
    if (isDaemonOff(terminal.env)) {
      terminal.err('signalbox daemon start: SIGNALBOX_DAEMON switches the daemon off. Hooks work without it.\n')
      return 2
    }
    const problem = values.metrics === undefined ? undefined : setMetrics(state, String(values.metrics))
    if (problem !== undefined) {
      terminal.err(`signalbox daemon start: ${problem}\n`)
      return 2
    }
    const began = new Date().toISOString()
    const before = await queryDaemon(state, 'status')
    const address = values.metrics === undefined ? undefined : String(values.metrics).trim()
    const status = await waitForMetrics(state, before ?? (await startDaemon(state, terminal)), address)
    if (!status) {
      terminal.err(
        `signalbox daemon start: the daemon did not start. ${lastLogLine(state, began)}\nHooks work without it.\n`,
      )
      return 2
    }
    if (values.json) terminal.out(`${JSON.stringify(status, null, 2)}\n`)
    else terminal.out(`${daemonStatusLines(status, before ? 'ALREADY RUNNING' : 'RUNNING', me).join('\n')}\n`)
    const trouble = address === undefined ? undefined : findMetricsProblem(status, address)
    if (trouble === undefined) return 0
    terminal.err(`signalbox daemon start: ${trouble}\n`)
    return 1
  },
}

const hasMetricsSetting = ({ metrics }: DaemonStatus, address: string): boolean =>
  parseMetricsAddress(address) === undefined
    ? metrics === undefined
    : metrics?.setting === address && (metrics.isOpen || metrics.problem !== undefined)

const METRICS_WAIT_MS = 3000

/** A running daemon applies the setting at once. Waits until its status shows whether the address is free. */
async function waitForMetrics(state: string, first: DaemonStatus | undefined, address: string | undefined) {
  let status = first
  for (const end = Date.now() + METRICS_WAIT_MS; status && address !== undefined && Date.now() < end; ) {
    if (hasMetricsSetting(status, address)) break
    await new Promise(done => setTimeout(done, 20))
    status = await queryDaemon(state, 'status')
  }
  return status
}

function findMetricsProblem(status: DaemonStatus, address: string): string | undefined {
  const { metrics } = status
  if (metrics?.problem !== undefined) return `metrics are ${metricsText(metrics)}`
  if (hasMetricsSetting(status, address)) return undefined
  return metrics
    ? `metrics are at ${metrics.address}, because SIGNALBOX_METRICS was set when the daemon was started`
    : 'metrics are off, because SIGNALBOX_METRICS was set when the daemon was started'
}

/** Stored in the daemon's run folder, because hooks start the daemon too. */
function setMetrics(state: string, text: string): string | undefined {
  const address = parseMetricsAddress(text)
  if (typeof address === 'string') return address
  return writeMetricsSetting(state, address ? text.trim() : 'off') ? undefined : 'the setting cannot be written'
}

const START_TIMEOUT_MS = 5000

/** Starts the daemon detached, in `/`, without open descriptors, so that it outlives this terminal. */
export async function startDaemon(state: string, { env }: Pick<Terminal, 'env'>) {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => DAEMON_VARIABLES.test(name)))
  const bin = join(PROGRAM_FOLDER, 'bin/signalbox.cjs')
  spawn(process.execPath, [bin, 'daemon', 'serve'], { cwd: '/', env: own, detached: true, stdio: 'ignore' }).unref()
  for (const end = Date.now() + START_TIMEOUT_MS; Date.now() < end; ) {
    const status = await queryDaemon(state, 'status')
    if (status) return status
    await new Promise(done => setTimeout(done, 20))
  }
  return undefined
}

/** Only a line of this start, not of an earlier daemon: log lines begin with their time. */
const lastLogLine = (state: string, began: string): string =>
  readDaemonLog(join(runFolderOf(state), RUN_FILES.log), { last: 1 }).find(line => line >= began) ??
  `Check that ${runFolderOf(state)} can be written.`
