import { rmSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { enterRunFolder } from '../../../hook/daemon/index.ts'
import { foldersOf } from '../../../hook/index.ts'
import { PROGRAM_FOLDER } from '../../../lib/program-folder.ts'
import { DashboardServer } from '../../dashboard/index.ts'
import { readServingFile, servingFileIn, writeServingFile } from '../../dashboard/serving-file.ts'
import { createDashboardBackend } from '../commands/dashboard/dashboard-backend.ts'
import { REDIRECT_PAGE } from '../commands/dashboard/open-browser.ts'

const IDLE_MS = Number(process.env.SIGNALBOX_DAEMON_IDLE_MS) || 30 * 60_000
/** a page counts as open this long after its last request, even without a stream */
const RECENT_MS = 60_000
const IDLE_CHECK_MS = Math.min(5000, IDLE_MS)
/** the previous dashboard may still hold the port */
const PORT_WAIT_MS = 3000

/** The dashboard process: `dashboard.mjs [port] [folder]`. It ends with its parent, or when no page is open. */
async function runDashboard([port = '', folder = '']: readonly string[]): Promise<void> {
  const { state } = foldersOf(process.env)
  enterRunFolder(state)
  lowerPriority()
  // data read here is short-lived; without these flags V8 keeps 250 MB of it
  for (const flag of ['--optimize-for-size', '--semi-space-growth-factor=1']) setFlagsFromString(flag)
  const file = servingFileIn('.')
  const before = readServingFile(file)
  const place = { folder }
  const isDaemon = process.env.SIGNALBOX_UI_ALONE === undefined
  const dashboard = new DashboardServer({
    state,
    backend: createDashboardBackend(process.env, { place, isDaemon }),
    pages: join(PROGRAM_FOLDER, 'dist/ui'),
    tokenChanged: token => {
      write(token)
      // the page holds a token that has been used
      rmSync(REDIRECT_PAGE, { force: true })
    },
    pagesChanged: () => announce(),
  })
  const listening = await listenOnPort(dashboard, port, before?.port)
  const write = (token: string) => writeServingFile(file, { token, pid: process.pid, port: listening })
  if (!write(dashboard.token)) throw new Error('its place is not known')

  const isOpen = () => dashboard.pages > 0 || performance.now() - dashboard.lastAt < RECENT_MS
  const announce = () => {
    if (process.connected) process.send?.(isOpen() ? Math.max(1, dashboard.pages) : 0)
  }
  const leaf = () => {
    dashboard.end()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'disconnect'] as const) process.on(signal, leaf)
  // `signalbox ui` ran again, maybe in another folder
  process.on('message', message => {
    if (typeof message === 'string') place.folder = message
  })
  setInterval(() => {
    announce()
    const isReplaced = readServingFile(file)?.pid !== process.pid
    if (isReplaced || (dashboard.pages === 0 && performance.now() > dashboard.lastAt + IDLE_MS)) leaf()
  }, IDLE_CHECK_MS)
}

/** Hooks and other work on this machine have priority. */
function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // not permitted: keep the current priority
  }
}

/** Listens on the requested port, else on the previous one, else on any. */
async function listenOnPort(
  dashboard: DashboardServer,
  wantedPort: string,
  before: number | undefined,
): Promise<number> {
  const wanted = Number(wantedPort) || before || 0
  for (const end = Date.now() + PORT_WAIT_MS; ; await new Promise(done => setTimeout(done, 100)))
    try {
      return await dashboard.listen(wanted)
    } catch (error) {
      if (Date.now() < end && wanted !== 0) continue
      if (wantedPort === '' && wanted !== 0) return dashboard.listen(0)
      throw error
    }
}

runDashboard(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`signalbox ui: ${error instanceof Error ? error.message : error}\n`)
  process.exit(3)
})
