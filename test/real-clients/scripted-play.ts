import { expect } from 'vitest'
import type { AuditRecord } from '../../src/store/index.ts'
import { FakeLlm, type LlmAnswer, messageAfterTurn, scriptMarkOf } from '../../src/testing/fake-llm/index.ts'
import type { Contestant } from './client.ts'
import type { Launch } from './driver.ts'
import { Enrolment } from './enrolment.ts'
import { noted } from './noted.ts'
import { type Ended, run } from './run.ts'
import type { Act } from './scenario.ts'
import { type Folders, type Surroundings, withFolders } from './stage.ts'

/** What a model does next, by what it was told after each of its answers. Nothing: it is done. */
export type Script = (told: readonly string[], part: string) => Act | LlmAnswer | undefined

export interface Play {
  readonly policy: Readonly<Record<string, unknown>>
  readonly before?: Readonly<Record<string, string>>
  readonly agents?: readonly string[]
  readonly around?: Surroundings
  /** of the client, in front of the prompt */
  readonly args?: readonly string[]
  readonly prepare?: (folders: Folders, launch: Launch) => void
  /** after `init` */
  readonly change?: (folders: Folders) => void
  /** how it is started, where it is not once and by `-p` */
  readonly start?: (launch: Launch, folders: Folders) => Promise<Ended>
  /** after all, whatever became of it */
  readonly end?: (folders: Folders) => void
  readonly script: Script
}

export interface Seen {
  readonly ended: Ended
  readonly told: readonly string[]
  readonly records: readonly AuditRecord[]
  readonly folders: Folders
}

/** A session of a client whose model reads refusals and does what they say. */
async function play(contestant: Contestant, one: Play, check: (seen: Seen) => void): Promise<void> {
  const { driver, installed } = contestant
  const scenario = { name: 'advice', about: '', policy: one.policy, before: one.before ?? {} } as never
  await withFolders(scenario, { patient: true, ...one.around }, async folders => {
    const told: string[] = []
    const model = await FakeLlm.start(({ part, turn }, asked) => {
      const results = Array.from({ length: turn }, (_, nth) => messageAfterTurn(asked, nth).results)
      if (part === 'main') told.splice(0, told.length, ...results)
      const next = one.script(results, part) ?? { text: 'Done.' }
      return 'kind' in next ? driver.call(next, stage) : next
    })
    const { home, project } = folders
    const prompt = `Play your part. ${scriptMarkOf('main')}`
    const stage = {
      ...{ home, project, installed, model: model.url, prompt, hook: undefined, agents: one.agents ?? [] },
      permissions: 'allow' as const,
    }
    try {
      const launch = driver.launch(stage)
      one.prepare?.(folders, launch)
      const enrolment = new Enrolment(folders, contestant.id)
      enrolment.begin()
      expect(enrolment.failures).toEqual([])
      one.change?.(folders)
      const start = one.start ?? startOnce
      const ended = await start(launchIn(folders, launch, one.args ?? [], prompt), folders)
      check({ ended, told, records: enrolment.records(), folders })
    } finally {
      folders.signalbox('daemon', 'stop')
      await model.stop()
      one.end?.(folders)
    }
  })
}

function launchIn({ env: around }: Folders, launch: Launch, more: readonly string[], prompt: string): Launch {
  const args = launch.args.flatMap(arg => (arg === prompt ? [...more, arg] : [arg]))
  return { command: launch.command, args, env: { ...around, ...launch.env } }
}

export const startOnceWithin =
  (timeoutMs: number) =>
  (launch: Launch, { project }: Folders): Promise<Ended> =>
    run(launch, { cwd: project, timeoutMs })

export const startOnce = startOnceWithin(100_000)

/** Not among the promises that each client's page tells of. */
export const playBeside = (
  contestant: Contestant,
  scenario: string,
  one: Play,
  check: (seen: Seen) => void,
): Promise<void> =>
  noted({ id: contestant.id, version: contestant.version, scenario, bare: false, beside: true }, () =>
    play(contestant, one, check),
  )
