import {
  FakeLlm,
  type LlmAnswer,
  type LlmRequest,
  messageAfterTurn,
  type ReceivedRequest,
  type ScriptPosition,
  scriptMarkOf,
} from '../../src/testing/fake-llm/index.ts'
import type { Driver, Launch } from './driver.ts'
import { type Ended, run } from './run.ts'
import { actOf, type Play, type Scenario, type Step } from './scenario.ts'
import { putFile } from './setup.ts'
import type { Folders } from './stage.ts'

const TIMEOUT_MS = 150_000

export interface Performance {
  readonly ended: Ended
  readonly heard: readonly ReceivedRequest[]
  /** the script wanted what the client does not offer */
  readonly problems: readonly string[]
}

interface Cast {
  readonly driver: Driver
  readonly installed: string
  /** in place of Signalbox */
  readonly hook?: string
  /** what is done when the client's own settings are there, before it starts */
  readonly begin?: (launch: Launch) => void
}

/** Plays a scenario with the real client. */
export async function perform(
  { driver, installed, hook, begin }: Cast,
  { agents, permissions }: Scenario,
  { steps }: Play,
  folders: Folders,
): Promise<Performance> {
  const { folder, home, project } = folders
  const problems: string[] = []
  const model = await FakeLlm.start((place, asked) => {
    const answer = answerAt(place, asked)
    if ('tool' in answer && ![...asked.tools, ...(driver.unoffered ?? [])].includes(answer.tool))
      problems.push(`\`${answer.tool}\` is not among the tools on offer: ${asked.tools.join(' ')}`)
    return answer
  })
  const prompt = `Play your part. ${scriptMarkOf('main')}`
  const stage = {
    home,
    project,
    installed: folders.reachable(installed),
    model: model.url,
    prompt,
    hook,
    agents,
    permissions,
  }

  function answerAt({ part, turn: nth }: ScriptPosition, asked: LlmRequest): LlmAnswer {
    const turn = turnsOf(partOf(steps, part), driver)[nth]
    if (turn?.waits && driver.wait) return driver.wait(messageAfterTurn(asked, nth - 1).results)
    const act = turn && actOf(turn.step, `Play your part. ${scriptMarkOf(`${part}.${turn.nth}`)}`)
    if (act) return driver.call(act, stage)
    const text = turn?.step.say ?? 'Done.'
    return (part !== 'main' && driver.answer?.(text)) || { text }
  }

  try {
    const launch = driver.launch(stage)
    folders.handOver()
    begin?.(launch)
    const env = { ...folders.env, ...launch.env }
    const ended = await run({ ...launch, env }, { cwd: project, timeoutMs: TIMEOUT_MS, user: folders.user })
    // for a look afterwards, with SIGNALBOX_REAL_KEEP
    putFile(folder, 'requests.json', JSON.stringify(model.requests, null, 2))
    putFile(folder, 'paths.txt', model.paths.join('\n'))
    putFile(folder, 'output.txt', ended.output)
    return { ended, heard: model.requests, problems: [...new Set(problems)] }
  } finally {
    await model.stop()
  }
}

/** The steps of `main`, or of an agent that a step of another part spawned. */
export function partOf(steps: readonly Step[], part: string): readonly Step[] {
  const [, ...path] = part.split('.')
  return path.reduce((found, nth) => found[Number(nth)]?.steps ?? [], steps)
}

interface Turn {
  readonly step: Step
  readonly nth: number
  /** the second turn of a step: for the agent that was spawned in the first */
  readonly waits: boolean
}

/** The answers that the model gives for these steps. */
export const turnsOf = (steps: readonly Step[], { wait }: Driver): readonly Turn[] =>
  steps.flatMap((step, nth) => [
    { step, nth, waits: false },
    ...(wait && step.spawn !== undefined ? [{ step, nth, waits: true }] : []),
  ])
