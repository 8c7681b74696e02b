import { rmSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { enterRunFolder } from '../daemon/index.ts'
import { Dashboard } from '../dashboard/index.ts'
import { readServing, servingFile, writeServing } from '../dashboard/serving-file.ts'
import { foldersOf } from '../runtime/index.ts'
import { deskOf } from './dashboard-desk.ts'
import { HOME } from './home.ts'
import { OPENED } from './ui-open.ts'

const IDLE_MS = Number(process.env.SIGNALBOX_DAEMON_IDLE_MS) || 30 * 60_000
/** a page that only asks, and does not listen, is open too */
const RECENT_MS = 60_000
const LOOK_MS = Math.min(5000, IDLE_MS)
/** the one before may still hold the port */
const PORT_MS = 3000

/** The dashboard's process: `dashboard.mjs [port] [folder]`. It ends with whoever started it, or when nobody looks. */
async function main([port = '', folder = '']: readonly string[]): Promise<void> {
  const { state } = foldersOf(process.env)
  enterRunFolder(state)
  leastPriority()
  // what is read is soon forgotten: without these V8 keeps a quarter of a gigabyte of it
  for (const flag of ['--optimize-for-size', '--semi-space-growth-factor=1']) setFlagsFromString(flag)
  const file = servingFile('.')
  const before = readServing(file)
  const place = { folder }
  const isDaemon = process.env.SIGNALBOX_UI_ALONE === undefined
  const dashboard = new Dashboard({
    state,
    desk: deskOf(process.env, { place, isDaemon }),
    pages: join(HOME, 'dist/ui'),
    tokenChanged: token => {
      write(token)
      // it holds a token that is used up
      rmSync(OPENED, { force: true })
    },
    pagesChanged: () => tell(),
  })
  const listening = await listen(dashboard, port, before?.port)
  const write = (token: string) => writeServing(file, { token, pid: process.pid, port: listening })
  if (!write(dashboard.token)) throw new Error('its place cannot be told')

  const isOpen = () => dashboard.pages > 0 || performance.now() - dashboard.lastAt < RECENT_MS
  const tell = () => {
    if (process.connected) process.send?.(isOpen() ? Math.max(1, dashboard.pages) : 0)
  }
  const leave = () => {
    dashboard.end()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'disconnect'] as const) process.on(signal, leave)
  // `signalbox ui` was said again, maybe elsewhere
  process.on('message', said => {
    if (typeof said === 'string') place.folder = said
  })
  setInterval(() => {
    tell()
    const isReplaced = readServing(file)?.pid !== process.pid
    if (isReplaced || (dashboard.pages === 0 && performance.now() > dashboard.lastAt + IDLE_MS)) leave()
  }, LOOK_MS)
}

/** Hooks, and whatever else works on this machine, come first. */
function leastPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // as it is, then
  }
}

/** At the port that is asked for; else where it was before, else at any. */
async function listen(dashboard: Dashboard, asked: string, before: number | undefined): Promise<number> {
  const wanted = Number(asked) || before || 0
  for (const end = Date.now() + PORT_MS; ; await new Promise(done => setTimeout(done, 100)))
    try {
      return await dashboard.listen(wanted)
    } catch (error) {
      if (Date.now() < end && wanted !== 0) continue
      if (asked === '' && wanted !== 0) return dashboard.listen(0)
      throw error
    }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`signalbox ui: ${error instanceof Error ? error.message : error}\n`)
  process.exit(3)
})
