import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { compilePolicyInMemory } from '../src/analysis/policy-test/index.ts'
import { commands } from '../src/app/cli/index.ts'
import { cliDependencies } from '../src/app/cli/project.ts'
import { foldersOf } from '../src/hook/index.ts'
import { type Sandbox, withSandbox } from './support/sandbox.ts'

const ROOT = join(import.meta.dirname, '..')
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const DEMO = textOf('demo/signalbox.yaml')
const test = (expected: string) => `- name: push\n  events: [ { shell: git commit, expect: ${expected} } ]\n`

interface Step {
  readonly name: string
  readonly uses?: string
  readonly run?: string
  readonly shell?: string
  readonly if?: string
  readonly env?: Readonly<Record<string, string>>
}

describe('the GitHub Action', () => {
  const action = parse(textOf('action.yml'))
  const steps: readonly Step[] = action.runs.steps

  it('is a composite of steps that say where they run, with inputs that are there', () => {
    expect(action.runs.using).toBe('composite')
    expect(steps.filter(one => one.run !== undefined && one.shell === undefined)).toEqual([])
    expect(steps.filter(one => (one.run === undefined) === (one.uses === undefined))).toEqual([])
    const used = [...textOf('action.yml').matchAll(/inputs\.([\w-]+)/g)].map(([, name = '']) => name)
    expect([...new Set(used)].sort()).toEqual(Object.keys(action.inputs).sort())
    for (const [name, input] of Object.entries<Step>(action.inputs))
      expect(input, name).toMatchObject({ description: expect.any(String), default: expect.any(String) })
  })

  it('puts no input into a script: that would run it', () => {
    expect(steps.filter(one => one.run?.includes('${'.concat('{'))).map(one => one.name)).toEqual([])
  })

  it('uses others at a version', () => {
    expect(steps.filter(one => one.uses !== undefined && !/@v\d+$/.test(one.uses))).toEqual([])
  })

  const runStep = (sandbox: Sandbox, name: string, env: Readonly<Record<string, string>> = {}) => {
    const step = steps.find(one => one.name === name)
    const inputs = Object.fromEntries(Object.keys(step?.env ?? {}).map(key => [key, '']))
    const around = {
      PATH: process.env.PATH,
      HOME: sandbox.home,
      SIGNALBOX_HOME: sandbox.home,
      GITHUB_ACTION_PATH: ROOT,
    }
    // as a runner starts `shell: bash`
    return spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step?.run ?? 'exit 99'], {
      cwd: sandbox.project,
      env: { ...around, ...inputs, ...env },
      encoding: 'utf8',
    })
  }

  it('checks, and plays the tests', () =>
    withSandbox({ project: DEMO }, async sandbox => {
      writeFileSync(join(sandbox.project, 'x.test.yaml'), test('deny'))
      expect(runStep(sandbox, 'Check the policy')).toMatchObject({
        status: 0,
        stdout: expect.stringContaining('OK  2 gates'),
      })
      expect(runStep(sandbox, 'Play its tests')).toMatchObject({
        status: 0,
        stdout: expect.stringContaining('OK  1 passed'),
      })
    }))

  it('fails where they do, with a remark at the line; only the tests that are named; SARIF where it is wanted', () =>
    withSandbox({ project: DEMO }, async sandbox => {
      writeFileSync(join(sandbox.project, 'x.test.yaml'), test('pass'))
      writeFileSync(join(sandbox.project, 'y.test.yaml'), test('deny'))
      const failed = runStep(sandbox, 'Play its tests', { SIGNALBOX_SARIF: 'out.sarif' })
      expect([failed.status, failed.stdout]).toEqual([1, expect.stringMatching(/^::error file=x\.test\.yaml,line=2/)])
      expect(JSON.parse(readFileSync(join(sandbox.project, 'out.sarif'), 'utf8')).runs[0].results).toHaveLength(1)
      expect(runStep(sandbox, 'Play its tests', { SIGNALBOX_TESTS: 'y.test.yaml' }).status).toBe(0)
      expect(runStep(sandbox, 'Play its tests', { SIGNALBOX_TESTS: 'y.test.yaml\nx.test.yaml\n' }).status).toBe(1)
    }))

  it('fails where the policy of a folder below is broken, or its tests are', () =>
    withSandbox({ project: DEMO }, async sandbox => {
      mkdirSync(join(sandbox.project, 'app'))
      writeFileSync(join(sandbox.project, 'app/signalbox.yaml'), DEMO.replace('tests-before-commit:', 'in-app:'))
      writeFileSync(join(sandbox.project, 'app/x.test.yaml'), test('pass'))
      expect(runStep(sandbox, 'Check the policy').status).toBe(0)
      expect(runStep(sandbox, 'Play its tests').stdout).toMatch(/^::error file=app\/x\.test\.yaml,line=2/)
      writeFileSync(join(sandbox.project, 'app/signalbox.yaml'), 'gates: [')
      const broken = runStep(sandbox, 'Check the policy')
      expect([broken.status, broken.stdout]).toEqual([
        1,
        expect.stringMatching(/^::error file=app\/signalbox\.yaml,line=1/),
      ])
    }))

  it('checks for the agents that are used, where it is told which', () => {
    const project = `gates:
  tests:
    initial: closed
    transitions: [{ from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }]
    rules: [{ while: closed, when: { action: run }, unless: { command: npm test }, then: deny, message: Test first. }]
`
    return withSandbox({ project }, async sandbox => {
      const on = (clients: string) => runStep(sandbox, 'Check the policy', { SIGNALBOX_CLIENTS: clients }).status
      expect(['', 'claude-code', 'claude-code\ngemini-cli\n', 'claude-code codex-cli', 'nobody'].map(on)).toEqual([
        1, 0, 0, 1, 2,
      ])
      const told = runStep(sandbox, 'Check the policy').stdout
      expect(told).toMatch(
        /^::error file=signalbox\.yaml,line=5,title=signalbox::DEADLOCK {2}tests can be .*%0AFix: let /,
      )
      expect(told).toContain('\nSTUCK  1 gate')
    })
  })

  it('what is not proven is remarked, and so are warnings, as such', () =>
    withSandbox({}, async sandbox => {
      writeFileSync(join(sandbox.project, 'signalbox.yml'), '')
      const warned = runStep(sandbox, 'Check the policy')
      expect([warned.status, warned.stdout]).toEqual([
        0,
        expect.stringMatching(
          /^::warning file=signalbox\.yml,line=1,col=1,title=signalbox::`signalbox.yml` is not read; rename/,
        ),
      ])
      writeFileSync(join(sandbox.project, 'signalbox.yaml'), 'gates: { g: { code: ./gate.mjs } }\n')
      writeFileSync(join(sandbox.project, 'gate.mjs'), 'export default () => ({ decision: "pass" })\n')
      const open = runStep(sandbox, 'Check the policy')
      expect([open.status, open.stdout]).toEqual([
        3,
        expect.stringMatching(/^::error title=signalbox::NOT PROVEN {2}the code of g may do anything\n/),
      ])
    }))

  it('fails where the policy is broken', () =>
    withSandbox({ project: 'gates: { g: { ruels: [] } }\n' }, async sandbox => {
      expect(runStep(sandbox, 'Check the policy').status).toBe(1)
    }))
})

describe('the hooks for pre-commit', () => {
  const hooks: readonly { id: string; entry: string; language: string; files: string; pass_filenames: boolean }[] =
    parse(textOf('.pre-commit-hooks.yaml'))
  const { bin, scripts } = JSON.parse(textOf('package.json'))

  it.each(hooks.map(hook => [hook.id, hook] as const))(
    '%s runs a command that is there',
    (_, { entry, language, files, pass_filenames }) => {
      const [program = '', command = ''] = entry.split(' ')
      expect(existsSync(join(ROOT, bin[program]))).toBe(true)
      expect(commands.map(one => one.name)).toContain(command)
      expect({ language, pass_filenames }).toEqual({ language: 'node', pass_filenames: false })
      expect(['signalbox.yaml', 'app/signalbox.yaml'].every(file => new RegExp(files).test(file))).toBe(true)
    },
  )

  it('run for whatever a policy and its tests are made of', () =>
    withSandbox({}, async sandbox => {
      const put = (name: string, text: string) => {
        mkdirSync(join(sandbox.project, name, '..'), { recursive: true })
        writeFileSync(join(sandbox.project, name), text)
      }
      const refuses = (gate: string, message: string) =>
        `gates: { ${gate}: { rules: [{ id: r, when: { command: x }, then: deny, message: ${message} }] } }\n`
      put('policies/review/pack.yaml', refuses('review', 'templates/why.md'))
      put('policies/review/templates/why.md', 'Because.')
      put('team/routes.yaml', 'wiki: { url: "https://wiki.org/a", message: Ask. }\n')
      put('tool-routes.json', '{"routes":{}}')
      put('whitelist.json', '{"approved_paths":[]}')
      put('note.txt', 'A note.')
      put(
        'app/signalbox.yaml',
        `use: [../policies/review]\nroutes: { from: [../team/routes.yaml, ../tool-routes.json] }\nallow: { from: ../whitelist.json }\n${refuses('g', '../note.txt')}`,
      )
      const { files, problems } = compilePolicyInMemory(
        { root: sandbox.project, folder: join(sandbox.project, 'app') },
        {
          parts: cliDependencies,
          folders: foldersOf({ SIGNALBOX_HOME: sandbox.home, HOME: sandbox.home }),
          everyLayer: false,
        },
      )
      const made = [...files].flatMap(([file, text]) => {
        const name = relative(sandbox.project, file)
        return text === null || name.startsWith('..') ? [] : name
      })
      expect({ problems, made: made.sort() }).toEqual({
        problems: [],
        made: [
          'note.txt',
          'policies/review/pack.yaml',
          'policies/review/templates/why.md',
          'team/routes.yaml',
          'tool-routes.json',
          'whitelist.json',
        ],
      })
      for (const { id, files: pattern } of hooks)
        expect(
          [...made, 'app/signalbox.yaml', 'app/x.test.yaml', 'x.test.yml'].filter(
            file => !new RegExp(pattern).test(file),
          ),
          id,
        ).toEqual([])
    }))

  it('the package that they install is built when it is packed', () => {
    expect(scripts.prepack).toContain('build')
  })
})
