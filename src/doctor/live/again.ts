import { existsSync } from 'node:fs'
import { askDaemon, runFolder, stopDaemon } from '../../daemon/index.ts'
import { foldersOf } from '../../runtime/index.ts'

/** As long as a daemon may take to come. */
const PATIENCE_MS = 3000

/**
 * The first call of a fresh state finds no daemon, starts one and is answered without it. Where it did, the same is asked again of that
 * one, twice: it reads the policy for the first. Undefined: no daemon answered. Whatever was started ends here.
 */
export async function askedAgain<T>(home: string, ask: () => Promise<T>): Promise<T | undefined> {
  const { state } = foldersOf({ SIGNALBOX_HOME: home })
  if (!existsSync(runFolder(state))) return undefined
  try {
    const before = await comeWithin(state)
    if (before) await ask()
    const answer = before && (await ask())
    const after = await askDaemon(state, 'status')
    return before && after && after.answered > before.answered ? answer : undefined
  } finally {
    await stopDaemon(state)
  }
}

async function comeWithin(state: string) {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
    const status = await askDaemon(state, 'status')
    if (status) return status
    await new Promise(done => setTimeout(done, 20))
  }
  return undefined
}
