import { resolve } from 'node:path'
import type { Sandbox } from '../../sandbox.ts'
import { payloadsOf } from './payload.ts'
import type { Told } from './script.ts'

const CLOCK = resolve(import.meta.dirname, 'clock.cjs')
const MINUTE_MS = 60_000
/** How long a step takes, in seconds: always the same ones. */
const PACE = [7, 19, 4, 11, 31, 6, 14, 9, 23, 5, 16, 8]

interface Timed {
  readonly told: Told
  readonly step: string
  readonly nth: number
  /** how long ago */
  readonly behind: number
}

/** When each step was, counted back from the end of its session. */
function timed(told: Told): readonly Timed[] {
  let behind = told.ended * MINUTE_MS
  const steps = told.steps.map((step, nth) => ({ told, step, nth, behind: 0 }))
  for (const one of [...steps].reverse()) {
    one.behind = behind
    behind += one.step.startsWith('…') ? Number(one.step.slice(2)) * MINUTE_MS : (PACE[one.nth % PACE.length] ?? 9) * 1000
  }
  return steps.filter(one => !one.step.startsWith('…'))
}

interface How {
  /** as long ago as the story says; else just now, through the daemon */
  readonly past: boolean
}

/** The sessions through the real hook, step by step as they happened beside each other. */
export async function play(sandbox: Sandbox, story: readonly Told[], { past }: How): Promise<void> {
  const steps = story.flatMap(timed)
  if (past) steps.sort((a, b) => b.behind - a.behind)
  const began = Date.now()
  for (const { told, step, nth, behind } of steps) {
    const cwd = sandbox.project
    const env: Record<string, string> = past
      ? {
          SIGNALBOX_DAEMON: 'off',
          NODE_OPTIONS: `--require ${CLOCK}`,
          STORY_BEHIND_MS: String(behind + (Date.now() - began)),
        }
      : {}
    for (const { event, body } of payloadsOf(told, step, cwd, nth)) {
      const { stdout } = await sandbox.hook(told.client, JSON.stringify(body), { env })
      // what was refused does not end
      if (event === 'before' && /"(deny|block)"/.test(stdout)) break
    }
  }
}
