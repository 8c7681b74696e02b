import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { FakeLlm, scriptMarkOf } from '../../src/testing/fake-llm/index.ts'
import { BACKENDS, putProgram } from './backends.ts'
import { type Contestant, contestants } from './client.ts'
import type { Launch } from './driver.ts'
import { Enrolment } from './enrolment.ts'
import { noted } from './noted.ts'
import { type Ended, run } from './run.ts'
import type { Act } from './scenario.ts'
import { putFile } from './setup.ts'
import { type Folders, PATIENT_MS, withFolders } from './stage.ts'

/** Two tasks: one that changes code, and one whose file is on the whitelist. */
const ACTS: Readonly<Record<string, Act>> = {
  main: { kind: 'write', path: 'src/auth.py', content: 'auth = 1\n' },
  'main.1': { kind: 'write', path: 'docs/auth.md', content: 'auth\n' },
}

/** A first step that tries more than it may, and a second one that does it. */
const STEPS: Readonly<Record<string, readonly Act[]>> = {
  'main.2': [
    { kind: 'write', path: 'src/auth.py', content: 'auth = 0\n' },
    { kind: 'write', path: 'docs/plan.md', content: 'the plan\n' },
  ],
  'main.3': [{ kind: 'write', path: 'src/auth.py', content: 'auth = 1\n' }],
}

const PLAN = {
  id: 'plan',
  prompt: `Plan it. ${scriptMarkOf('main.2')}`,
  artifacts: 'docs/plan.md',
  may: 'docs/plan.md',
}
const BUILD = { id: 'build', prompt: `Build it. ${scriptMarkOf('main.3')}`, artifacts: 'src/auth.py' }
const WORKFLOW = { steps: [PLAN, { person: 'Fine?' }, BUILD] }
const ANSWERED = { steps: [PLAN, BUILD] }

const policyOf = (name: string, args: readonly string[]) => ({
  use: ['master-orchestrator'],
  // Codex edits by a shell line: the command is approved, and where it writes is asked all the same
  allow: { paths: ['docs/'], commands: ['apply_patch'] },
  settings: { budgetMs: PATIENT_MS, orchestrator: { args: { [name]: [...args] } } },
})

const SCENARIO = { policy: {}, before: {}, agents: [], permissions: 'allow', name: 'orchestrated' } as never

const all = contestants().filter(({ id }) => BACKENDS[id])

describe.concurrent.each(all)('$id $version', contestant => {
  it('is refused, does the same task when it is orchestrated, is refused again, and changes nothing when it is asked', () =>
    beside(contestant, () =>
      withFolders(SCENARIO, {}, async folders => {
        const { driver } = contestant
        const { name, args } = BACKENDS[contestant.id] ?? { name: '', args: [] }
        const model = await FakeLlm.start(({ part, turn }) => {
          const act = ACTS[part]
          return act && turn === 0 ? driver.call(act, stage) : { text: 'Done.' }
        })
        const stage = stageOf(contestant, folders, model.url)
        const has = (path: string) => existsSync(join(folders.project, path))
        const told = () => JSON.stringify(model.requests.at(-1))
        const play = async (launch: Launch): Promise<Ended> => {
          const env = { ...folders.env, ...launch.env }
          return run({ ...launch, env }, { cwd: folders.project, timeoutMs: 100_000, user: undefined })
        }
        try {
          putFile(folders.home, '.config/signalbox/signalbox.yaml', stringify(policyOf(name, args)))
          // once: it writes the settings anew, and `init` adds to them
          const launch = driver.launch(stage)
          const direct = (part: string) =>
            play({ ...launch, args: launch.args.map(arg => (arg === PROMPT ? promptOf(part) : arg)) })
          putProgram(folders, name, launch)
          const enrolment = new Enrolment(folders, contestant.id)
          enrolment.begin()

          await direct('main')
          expect([has('src/auth.py'), told()]).toEqual([false, expect.stringContaining('signalbox orchestrate')])

          const orchestrate = (...words: readonly string[]) => {
            const args = ['orchestrate', '--backend', name, '--timeout', '90s', ...words]
            return play({ command: join(folders.folder, 'bin/signalbox'), args, env: launch.env })
          }
          const done = await orchestrate(`create the auth module. ${promptOf('main')}`)
          expect([done.exitCode, done.output]).toEqual([0, expect.stringContaining('added     src/auth.py')])
          expect(readFileSync(join(folders.project, 'src/auth.py'), 'utf8')).toBe('auth = 1\n')

          rmSync(join(folders.project, 'src/auth.py'))
          await direct('main')
          expect([has('src/auth.py'), told()]).toEqual([false, expect.stringContaining('signalbox orchestrate')])

          // what is only asked changes nothing, whatever the whitelist and the person's own settings allow
          await orchestrate('--mode', 'prompt', `what is in the guide? ${promptOf('main.1')}`)
          expect(has('docs/auth.md')).toBe(false)

          await direct('main.1')
          expect(has('docs/auth.md')).toBe(true)

          const notes = enrolment.records().flatMap(record => record.notes)
          expect(notes.filter(note => note.startsWith('approved: ')).length).toBeGreaterThan(0)
          expect(enrolment.failures).toEqual([])
        } finally {
          folders.signalbox('daemon', 'stop')
          await model.stop()
        }
      }),
    ))

  it('does the steps of a workflow: each changes what it may, and leaves its file for the next', () =>
    withFolders(SCENARIO, {}, async folders => {
      const { driver } = contestant
      const { name, args } = BACKENDS[contestant.id] ?? { name: '', args: [] }
      const model = await FakeLlm.start(({ part, turn }) => {
        const act = STEPS[part]?.[turn]
        return act ? driver.call(act, stage) : { text: 'Done.' }
      })
      const stage = stageOf(contestant, folders, model.url)
      const has = (path: string) => existsSync(join(folders.project, path))
      try {
        const policy = { ...policyOf(name, args), workflows: { bmad: WORKFLOW } }
        putFile(folders.home, '.config/signalbox/signalbox.yaml', stringify(policy))
        const launch = driver.launch(stage)
        putProgram(folders, name, launch)
        const enrolment = new Enrolment(folders, contestant.id)
        enrolment.begin()
        const orchestrate = (...words: readonly string[]) => {
          const line = ['orchestrate', '--backend', name, '--timeout', '90s', ...words]
          const env = { ...folders.env, ...launch.env }
          const how = { cwd: folders.project, timeoutMs: 200_000, user: undefined }
          return run({ command: join(folders.folder, 'bin/signalbox'), args: line, env }, how)
        }

        const waiting = await orchestrate('--workflow', 'bmad', 'add an auth module')
        // the first step tried code, and was denied: it may change its plan only
        expect([waiting.exitCode, waiting.output]).toEqual([3, expect.stringContaining('a person must answer: Fine?')])
        expect([has('docs/plan.md'), has('src/auth.py')]).toEqual([true, false])
        const told = JSON.stringify(model.requests)
        expect(told).toContain('This step of the workflow may change only docs/plan.md: not `src/auth.py`')

        // a person went on without the question
        putFile(
          folders.home,
          '.config/signalbox/signalbox.yaml',
          stringify({ ...policy, workflows: { bmad: ANSWERED } }),
        )
        const done = await orchestrate('--resume')
        expect([done.exitCode, done.output]).toEqual([0, expect.stringContaining('2 of 2 steps')])
        expect(readFileSync(join(folders.project, 'src/auth.py'), 'utf8')).toBe('auth = 1\n')
        expect(JSON.stringify(model.requests.at(-1))).toContain('- docs/plan.md (step plan)')
        expect(enrolment.failures).toEqual([])
      } finally {
        folders.signalbox('daemon', 'stop')
        await model.stop()
      }
    }))
})

const promptOf = (part: string): string => `Play your part. ${scriptMarkOf(part)}`

const PROMPT = 'what is to be done'

const stageOf = ({ installed }: Contestant, { home, project }: Folders, model: string) => ({
  ...{ home, project, installed, model, prompt: PROMPT, hook: undefined, agents: [], permissions: 'allow' as const },
})

const beside = ({ id, version }: Contestant, work: () => Promise<void>): Promise<void> =>
  noted(
    { id, version, scenario: 'orchestrated: blocked, done, blocked again, whitelisted', bare: false, beside: true },
    work,
  )
