import type { Stage } from '../stage.ts'
import { payloadsOf } from './payload.ts'
import type { Told } from './script.ts'

const MINUTE_MS = 60_000
/** How long a step takes, in seconds: always the same ones. */
const PACE = [17, 48, 9, 28, 75, 15, 34, 22, 58, 12, 40, 20]

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
    const pace = (PACE[one.nth % PACE.length] ?? 9) * 1000
    behind += one.step.startsWith('…') ? Number(one.step.slice(2)) * MINUTE_MS : pace
  }
  return steps.filter(one => !one.step.startsWith('…'))
}

interface How {
  /** as long ago as the story says; else just now */
  readonly past: boolean
}

/** The sessions through the real hook, step by step as they happened beside each other; just now, all of them at once. */
export async function play(stage: Stage, story: readonly Told[], { past }: How): Promise<void> {
  const lists = story.map(timed)
  if (!past) await Promise.all(lists.map(one => inOrder(stage, one, { past })))
  else
    await inOrder(
      stage,
      lists.flat().sort((a, b) => b.behind - a.behind),
      { past },
    )
}

async function inOrder(stage: Stage, steps: readonly Timed[], { past }: How): Promise<void> {
  const began = Date.now()
  for (const { told, step, nth, behind } of steps) {
    if (past) await stage.setBack(behind + (Date.now() - began))
    for (const { event, body } of payloadsOf(told, step, stage.sandbox.project, nth)) {
      const said = await stage.hook(told.client, body)
      // what was refused does not end
      if (event === 'before' && /"(deny|block)"/.test(said)) break
    }
  }
}
