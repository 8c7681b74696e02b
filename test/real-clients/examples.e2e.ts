import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { FakeLlm, scriptMarkOf } from '../../src/testing/fake-llm/index.ts'
import { BACKENDS, putProgram } from './backends.ts'
import { type Contestant, contestants } from './client.ts'
import { Enrolment } from './enrolment.ts'
import { noted } from './noted.ts'
import { type Ended, run } from './run.ts'
import type { Act } from './scenario.ts'
import { putFile } from './setup.ts'
import { type Folders, withFolders } from './stage.ts'

const EXAMPLES = resolve(import.meta.dirname, '../../examples')

/** What the agent of a step does, by what earlier rounds left. */
type Deeds = (read: (path: string) => string) => readonly Act[]

const written = (path: string, content: string): Act => ({ kind: 'write', path, content })

const write =
  (path: string): Deeds =>
  () => [written(path, `${path}\n`)]

/** A test that fails at first: the second round finds what the first one wrote, and writes what is missing. */
const build: Deeds = read =>
  read('src/cart.js') === '' ? [written('src/cart.js', 'half\n')] : [written('src/total.js', 'total\n')]

const [REVIEW, NOTES] = ['docs/iterations/review.md', 'docs/iterations/notes.md'] as const

/** A reviewer who agrees in the second round. Some agents overwrite nothing that they have not read. */
const review: Deeds = read =>
  read(NOTES) === ''
    ? [written(REVIEW, 'One thing corrected.\n'), written(NOTES, 'The first round.\n')]
    : [{ kind: 'shell', command: `rm ${REVIEW}` }, written(REVIEW, 'APPROVED\n')]

interface Example {
  /** what the agent of each step does, by the step's id */
  readonly steps: Readonly<Record<string, Deeds>>
  /** what a person is asked, in order: it waits there, since nobody is */
  readonly asks?: readonly string[]
  readonly report: readonly string[]
}

const PLAYED: Readonly<Record<string, Example>> = {
  bmad: {
    steps: {
      brief: write('docs/bmad/brief.md'),
      requirements: write('docs/bmad/requirements.md'),
      architecture: write('docs/bmad/architecture.md'),
      build,
      verify: write('docs/bmad/verification.md'),
    },
    asks: ['docs/bmad/requirements.md right?', 'as docs/bmad/architecture.md says?'],
    report: ['5 of 5 steps', 'build done, round 2', 'verify done, 1 file, wrote docs/bmad/verification.md'],
  },
  'bmad-iter': {
    steps: { plan: write('docs/iterations/plan.md'), build, improve: review },
    report: ['3 of 3 steps', 'build done, round 2', 'improve done, round 2'],
  },
  'quick-feature': {
    steps: { build, describe: write('docs/quick-feature.md') },
    report: ['2 of 2 steps', 'build done, round 2', 'wrote docs/quick-feature.md'],
  },
}

interface Step {
  readonly id?: string
  readonly prompt?: string
  readonly person?: string
}

const partOf = (nth: number): string => `main.${nth}`

/** The example as it is, with a mark in each prompt by which the scripted model knows the step. */
class Marked {
  readonly steps: readonly Step[]
  private readonly policy

  constructor(private readonly name: string) {
    this.policy = parse(readFileSync(join(EXAMPLES, name, 'signalbox.yaml'), 'utf8'))
    this.steps = this.policy.workflows[name].steps
  }

  /** Without the first questions: a person went on without them. */
  text(answered: number, settings: object): string {
    const marked = this.steps.map((step, nth) =>
      step.prompt === undefined ? step : { ...step, prompt: `${step.prompt}\n${scriptMarkOf(partOf(nth))}` },
    )
    const gone = marked.filter(({ person }) => person !== undefined).slice(0, answered)
    const steps = marked.filter(step => !gone.includes(step))
    const workflows = { [this.name]: { ...this.policy.workflows[this.name], steps } }
    return stringify({ ...this.policy, workflows, settings })
  }
}

const POLICY_FILE = '.config/signalbox/signalbox.yaml'
const PACKAGE = '{ "scripts": { "test": "grep -q total src/total.js" } }'

async function played({ driver, id, installed }: Contestant, name: string, { steps, asks = [], report }: Example) {
  const example = new Marked(name)
  const { steps: listed } = example
  expect(listed.flatMap(step => step.id ?? [])).toEqual(Object.keys(steps))
  const backend = BACKENDS[id] ?? { name: '', args: [] }
  const scenario = { name, about: '', policy: {}, before: { 'package.json': PACKAGE } } as never
  await withFolders(scenario, {}, async folders => {
    const model = await FakeLlm.start(({ part, turn }) => {
      const deeds = steps[listed[Number(part.slice('main.'.length))]?.id ?? '']
      const act = deeds?.(path => readIn(folders, path))[turn]
      return act ? driver.call(act, stage) : { text: 'Done.' }
    })
    const { home, project } = folders
    const stage = {
      ...{ home, project, installed, model: model.url, prompt: 'unused', hook: undefined, agents: [] },
      permissions: 'allow' as const,
    }
    const settings = { orchestrator: { args: { [backend.name]: [...backend.args] } } }
    try {
      const put = (answered: number) => putFile(home, POLICY_FILE, example.text(answered, settings))
      put(0)
      const launch = driver.launch(stage)
      putProgram(folders, backend.name, launch)
      const enrolment = new Enrolment(folders, id)
      enrolment.begin()
      const orchestrate = (...words: readonly string[]): Promise<Ended> => {
        const line = { command: join(folders.folder, 'bin/signalbox'), env: { ...folders.env, ...launch.env } }
        const args = ['orchestrate', '--backend', backend.name, ...words]
        return run({ ...line, args }, { cwd: project, timeoutMs: 250_000 })
      }
      let ended = await orchestrate('--workflow', name, 'add a cart')
      for (const [nth, question] of asks.entries()) {
        expect([ended.exitCode, ended.output]).toEqual([3, expect.stringContaining(question)])
        put(nth + 1)
        ended = await orchestrate('--resume')
      }
      const words = ended.output.replace(/\s+/g, ' ')
      expect([ended.exitCode, words]).toEqual([0, expect.stringContaining(`DONE workflow ${name}`)])
      for (const one of report) expect(words).toContain(one)
      expect(readIn(folders, 'src/total.js')).toBe('total\n')
      expect(enrolment.failures).toEqual([])
    } finally {
      folders.signalbox('daemon', 'stop')
      await model.stop()
    }
  })
}

function readIn({ project }: Folders, path: string): string {
  try {
    return readFileSync(join(project, path), 'utf8')
  } catch {
    return ''
  }
}

describe.concurrent.each(contestants().filter(({ id }) => BACKENDS[id]))('$id $version', contestant => {
  it.each(Object.entries(PLAYED))('does every step of the example %s', { timeout: 300_000 }, (name, example) =>
    noted(
      { id: contestant.id, version: contestant.version, scenario: `example ${name}`, bare: false, beside: true },
      () => played(contestant, name, example),
    ),
  )
})
