import { chmodSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { installPathsOf } from '../../src/app/cli/environment.ts'
import { renderStarterPolicy } from '../../src/app/install/agent-docs/starter-policy.ts'
import { commandNameHere, renderPathShim } from '../../src/app/install/program/path-shim.ts'
import { withStage } from '../support/in-process-command.ts'
import { onMachine } from './machine.ts'

const ROOT = `${import.meta.dirname}/../..`
const CLAUDE = '~/.claude/settings.json'

describe('the starter gate waits for the tests of this project', () => {
  const PROJECTS: readonly [command: string, ...files: string[]][] = [
    ['npm test'],
    ['npm test', 'package.json'],
    ['npm test', 'package.json', 'package-lock.json'],
    ['pnpm test', 'package.json', 'pnpm-lock.yaml'],
    ['yarn test', 'package.json', 'yarn.lock'],
    ['bun test', 'package.json', 'bun.lock'],
    ['cargo test', 'Cargo.toml'],
    ['go test ./...', 'go.mod'],
    ['pytest', 'pyproject.toml'],
    ['pytest', 'pytest.ini'],
    ['cargo test', 'Cargo.toml', 'yarn.lock'],
  ]
  it.each(PROJECTS)('%s: %s %s', (command, ...files) =>
    withStage(async stage => {
      for (const file of files.filter(Boolean)) stage.put(file, '')
      const text = renderStarterPolicy(ROOT, stage.project)
      expect(text).toContain(`command: ${command}, succeeded: true`)
      stage.put('signalbox.yaml', text)
      expect(await stage.run(['check']), stage.said).toBe(0)
    }),
  )
})

it('the starter names the schema where everybody who has the project has it', () =>
  withStage(async stage => {
    expect(renderStarterPolicy(ROOT, stage.project)).not.toContain('yaml-language-server')
    stage.put('node_modules/signalbox/schema/signalbox.schema.json', '{}')
    const [first = ''] = renderStarterPolicy(ROOT, stage.project).split('\n')
    expect(first).toBe('# yaml-language-server: $schema=./node_modules/signalbox/schema/signalbox.schema.json')
  }))

it("and a person's own policy names the one in the copy, which is there", () =>
  withStage(async stage => {
    rmSync(join(stage.project, '.git'), { recursive: true, force: true })
    expect(await stage.run(['init', '--yes', '--client', 'claude-code'])).toBe(0)
    const policy = readFileSync(join(stage.home, '.config/signalbox/signalbox.yaml'), 'utf8')
    const [, file = ''] = /^# yaml-language-server: \$schema=(.*)\n/.exec(policy) ?? []
    expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveProperty('properties.gates')
  }))

describe('what a newcomer reads', () => {
  it('the second time: what is yours, and what is registered', () =>
    withStage(async stage => {
      const hook = { type: 'command', command: 'guard.sh' }
      stage.put(CLAUDE, { hooks: { Stop: [{ hooks: [hook, hook, hook] }] } })
      expect(await stage.run(['init', '--yes', '--client', 'claude-code'])).toBe(0)
      expect(await stage.run(['init', '--yes', '--client', 'claude-code'])).toBe(0)
      expect(stage.said).toBe(
        'Found  Claude Code  ~/.claude/settings.json  3 hooks of yours, kept; registered\nNothing to change.\n',
      )
      stage.put(CLAUDE, '{ "hooks": ')
      expect(await stage.run(['init', '--yes', '--client', 'claude-code'])).toBe(1)
      expect(stage.said).toMatch(/is not valid JSON[\s\S]*\nNothing was changed\.\n$/)
    }))

  it.each([
    ['a workflow', 'workflows: { bmad: { steps: [{ id: a, prompt: x }] } }\n'],
    ['a command', 'settings: { orchestrator: { commands: { bmad: { agent: a } } } }\n'],
  ])('init says that %s of the project waits for trust', (_, policy) =>
    withStage(async stage => {
      stage.put('signalbox.yaml', policy)
      stage.put(CLAUDE, '{}')
      expect(await stage.run(['init', '--yes', '--client', 'claude-code'])).toBe(0)
      expect(stage.said).toContain("\nNote   the project's commands need `signalbox trust`; run init again")
    }),
  )

  it('`doctor --yes` alone is a mistake', () =>
    withStage(async stage => {
      expect(await stage.run(['doctor', '--yes'])).toBe(2)
      expect(stage.said).toBe('signalbox doctor: `--yes` works only with `--live`: signalbox doctor --live\n  --yes\n')
    }))

  it('the next step is a command that is there', () =>
    withStage(async stage => {
      const now = (env: Readonly<Record<string, string>>) =>
        commandNameHere({
          ...installPathsOf({ env: { HOME: stage.home, ...env }, cwd: stage.project }),
          program: '/clone',
        })
      expect(now({ PATH: '/usr/bin' })).toBe('node /clone/bin/signalbox.cjs')
      expect(now({ PATH: '/usr/bin', npm_command: 'exec' })).toBe('npx signalbox')
      chmodSync(stage.put('~/bin/signalbox', ''), 0o755)
      expect(now({ PATH: stage.at('~/bin') })).toBe('signalbox')
      stage.put('~/.local/share/signalbox/bin/signalbox', '')
      expect(now({ PATH: '/usr/bin' })).toBe('~/.local/share/signalbox/bin/signalbox')
    }))

  it('the word says how to get back what it started', () =>
    onMachine(async machine => {
      const data = `${machine.home}/it's gone`
      machine.put('word', renderPathShim({ data }), 0o755)
      const ran = await machine.shell(`"$HOME/word" status`)
      expect(ran).toEqual({
        exitCode: 127,
        stdout: '',
        stderr: `signalbox: ${data}/bin/signalbox does not exist; install Signalbox again (see its README) and run signalbox init\n`,
      })
      rmSync(`${machine.home}/word`)
    }))
})
