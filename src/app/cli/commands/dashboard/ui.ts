import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { isDaemonOff, queryDaemon, runFolderOf, stopDaemon } from '../../../../hook/daemon/index.ts'
import { DAEMON_VARIABLES } from '../../../../hook/entry/daemon-environment.ts'
import { BUILD, foldersOf } from '../../../../hook/index.ts'
import { tryOr } from '../../../../lib/errors.ts'
import { PROGRAM_FOLDER } from '../../../../lib/program-folder.ts'
import { readServingFile, type ServingFile, servingFileIn } from '../../../dashboard/serving-file.ts'
import type { Command, ExitCode, Terminal } from '../../command.ts'
import { startDaemon } from '../daemon/daemon-start.ts'
import { findBrowserOpener, openInBrowser } from './open-browser.ts'

export const uiCommand: Command = {
  name: 'ui',
  summary: 'Open the dashboard: live decisions with their reasons, sessions, gates, policy, playground. Local only.',
  usage: '[--port N] [--no-open] [--json]',
  example: 'signalbox ui',
  options: {
    port: { type: 'string', about: 'port on 127.0.0.1; default: any free port' },
    'no-open': { type: 'boolean', about: 'print the URL and do not open a browser' },
    json: { type: 'boolean', about: 'print the URL as JSON and do not open a browser' },
  },
  async run({ values, terminal }) {
    const port = values.port === undefined ? '' : String(values.port)
    if (port !== '' && !(/^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) < 65_536)) {
      terminal.err(`signalbox ui: \`--port ${port}\`: expected a number from 1 to 65535\n`)
      return 2
    }
    const { state } = foldersOf(terminal.env)
    // the dashboard returns to its last port by itself
    const isThere = String(readServingFile(servingFileIn(runFolderOf(state)))?.port) === port
    const opens = values.json !== true && values['no-open'] !== true
    const show = (serving: ServingFile, isDaemon: boolean) =>
      printAddress(serving, { opens, json: values.json === true, isDaemon }, runFolderOf(state), terminal)
    const pid = isDaemonOff(terminal.env) ? undefined : await requestFromDaemon(state, isThere ? '' : port, terminal)
    return pid === undefined
      ? runInForeground(state, port, terminal, show)
      : showFromDaemon(state, pid, port, terminal, show)
  },
}

type ShowDashboard = (serving: ServingFile, isDaemon: boolean) => void

/** The process id of the dashboard; undefined if there is no daemon. */
async function requestFromDaemon(state: string, port: string, terminal: Terminal): Promise<number | undefined> {
  const found = await queryDaemon(state, 'status')
  // a daemon of another build serves other pages
  if (found && found.build !== BUILD) await stopDaemon(state)
  if (!found || found.build !== BUILD) await startDaemon(state, terminal)
  return (await queryDaemon(state, 'ui', port, terminal.cwd))?.dashboard?.pid
}

const START_TIMEOUT_MS = 8000

async function showFromDaemon(
  state: string,
  pid: number,
  port: string,
  { err }: Terminal,
  show: ShowDashboard,
): Promise<ExitCode> {
  const serving = await waitForServer(state, pid, () => isProcessAlive(pid))
  if (!serving) {
    err(`signalbox ui: the dashboard did not start${port ? `; is port ${port} free?` : ''}\n`)
    return 2
  }
  show(serving, true)
  return 0
}

/** Without a daemon, the dashboard runs as a process of this terminal. */
async function runInForeground(
  state: string,
  port: string,
  { env, cwd, err }: Terminal,
  show: ShowDashboard,
): Promise<ExitCode> {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => DAEMON_VARIABLES.test(name)))
  const child: ChildProcess = spawn(process.execPath, [join(PROGRAM_FOLDER, 'dist/dashboard.mjs'), port, cwd], {
    env: { ...own, SIGNALBOX_UI_ALONE: '1' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  const serving = await waitForServer(state, child.pid ?? 0, () => child.exitCode === null)
  if (!serving) {
    err('signalbox ui: the dashboard did not start\n')
    child.kill()
    return 2
  }
  show(serving, false)
  await ended
  return 0
}

async function waitForServer(state: string, pid: number, isThere: () => boolean): Promise<ServingFile | undefined> {
  const file = servingFileIn(runFolderOf(state))
  for (const end = Date.now() + START_TIMEOUT_MS; Date.now() < end && isThere(); ) {
    const serving = readServingFile(file)
    if (serving?.pid === pid) return serving
    await new Promise(done => setTimeout(done, 20))
  }
  return undefined
}

const isProcessAlive = (pid: number): boolean => tryOr(false, () => process.kill(pid, 0))

interface UiOptions {
  readonly opens: boolean
  readonly json: boolean
  readonly isDaemon: boolean
}

/** Uses the numeric address: `localhost` may resolve to something else. */
function printAddress({ port, token, pid }: ServingFile, how: UiOptions, run: string, terminal: Terminal): void {
  const url = `http://127.0.0.1:${port}/#token=${token}`
  const { out, env } = terminal
  if (how.json) {
    out(`${JSON.stringify({ url, port, pid, daemon: how.isDaemon }, null, 2)}\n`)
    return
  }
  const program = how.opens ? findBrowserOpener(terminal) : undefined
  const isOpened = program !== undefined && openInBrowser(program, url, run, env)
  out(`Dashboard  ${url}\n`)
  out(
    `${isOpened ? 'Opened in your browser.' : 'Open it in a browser on this machine.'} The URL works once: run \`signalbox ui\` again for another browser.\n`,
  )
  if (!how.isDaemon) out('No daemon is running: this terminal serves the dashboard until you press Ctrl+C.\n')
}
