import { existsSync } from 'node:fs'
import { queryDaemon, runFolderOf, stopDaemon } from '../../../hook/daemon/index.ts'
import { foldersOf } from '../../../hook/index.ts'

/** How long a daemon may take to start. */
const DAEMON_WAIT_MS = 3000

/**
 * The first call with a new state folder finds no daemon, starts one, and is answered one-shot. If a daemon starts, the call is repeated
 * twice: for the first one the daemon still loads the policy. Undefined: no daemon answered. The daemon is stopped at the end.
 */
export async function repeatWithDaemon<T>(home: string, ask: () => Promise<T>): Promise<T | undefined> {
  const { state } = foldersOf({ SIGNALBOX_HOME: home })
  if (!existsSync(runFolderOf(state))) return undefined
  try {
    const before = await waitForDaemon(state)
    if (before) await ask()
    const answer = before && (await ask())
    const after = await queryDaemon(state, 'status')
    return before && after && after.answered > before.answered ? answer : undefined
  } finally {
    await stopDaemon(state)
  }
}

async function waitForDaemon(state: string) {
  for (const end = Date.now() + DAEMON_WAIT_MS; Date.now() < end; ) {
    const status = await queryDaemon(state, 'status')
    if (status) return status
    await new Promise(done => setTimeout(done, 20))
  }
  return undefined
}
