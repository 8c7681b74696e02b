import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Stage, withStage } from '../support/in-process-command.ts'
import { BIN, withSandbox } from '../support/sandbox.ts'

const call = (hook_event_name: string, more: object): string =>
  JSON.stringify({ hook_event_name, session_id: 's', cwd: '/home/dev/proj', ...more })
const bash = (command: string) => ({ tool_name: 'Bash', tool_use_id: 'r1', tool_input: { command } })

async function decided(stage: Stage, request: string) {
  expect(await stage.run(['route', '--json', request])).toBe(0)
  return JSON.parse(stage.said)
}

const EMPTY = 'signalbox route: the request is empty; write it after the command, or `-` to read it from stdin\n'
const WIDE = 1000

describe('signalbox route', () => {
  it('says what a request is for, why, and what to do with that', () =>
    withStage(async stage => {
      expect(await stage.run(['route', 'fix', 'the', 'crash', 'in', 'the', 'cart'], { width: WIDE })).toBe(0)
      expect(stage.said).toMatch(/^bug_fix {2}low, \d\d % sure\n {2}why {7}`fix`, `crash`: bug_fix/)
      expect(stage.said).toMatch(/No workflow: the project has no workflow\.\nNext {2}--json .*\n$/)
    }))

  it('chooses among the workflows of the project, by the policy first, and names an agent that is there', () =>
    withStage(async stage => {
      stage.put('signalbox.yaml', 'routing: { workflows: { docs: mine } }\n')
      stage.put(
        '.claude/workflows/full-flow.yaml',
        'workflow: { name: f, description: A new web application from scratch }\n',
      )
      stage.put('.claude/workflows/quick.yml', 'intents: [bug_fix]\n')
      stage.put('.claude/agents/bmad-orchestrator.md', '')
      stage.put('.claude/agents/master-orchestrator.md', '')
      expect(await decided(stage, 'fix the crash')).toMatchObject({
        workflow_selection: '@.claude/workflows/quick.yml',
      })
      expect(await decided(stage, 'fix typo in README')).toMatchObject({ workflow_selection: 'mine' })
      expect(
        await decided(stage, 'build an enterprise saas from scratch with billing and microservices'),
      ).toMatchObject({
        workflow_selection: '@.claude/workflows/full-flow.yaml',
        should_escalate: true,
        escalation_target: 'master-orchestrator',
      })
    }))

  it('opens the gate when an agent runs it, and only then', () =>
    withSandbox({ project: 'use: [router-first]\n' }, async sandbox => {
      const line = 'signalbox route --record "fix the crash in the cart"'
      const ask = (more: object) => sandbox.hook('claude-code', call('PreToolUse', more))
      const read = { tool_name: 'Read', tool_input: { file_path: '/home/dev/proj/a.ts' } }
      expect((await ask(bash(line))).stdout).toBe('')
      const { stdout } = await sandbox.run(['route', '--record', 'fix the crash in the cart'])
      expect(JSON.parse(stdout)).toMatchObject({ intent: 'bug_fix', workflow_selection: 'no workflow' })
      expect((await ask(read)).stdout).toContain('"permissionDecision":"deny"')
      const answer = { tool_response: { stdout, stderr: '', interrupted: false } }
      const after = await sandbox.hook('claude-code', call('PostToolUse', { ...bash(line), ...answer }))
      expect(after.stdout).toContain('Routed: bug_fix; follow no workflow.')
      expect((await ask(read)).stdout).toBe('')
    }))

  it.each([[['route', '']], [['route']], [['route', ' \t\n']], [['route', '--record', '\u0000']]])(
    '%j is refused in one line',
    args =>
      withStage(async stage => {
        expect([await stage.run(args, { width: WIDE }), stage.said]).toEqual([2, EMPTY])
      }),
  )

  it.skipIf(process.platform !== 'linux' || spawnSync('script', ['--version']).status !== 0)(
    'at a terminal it says what it waits for',
    () =>
      withStage(async ({ home, project }) => {
        const line = `'${process.execPath}' '${BIN}' route -`
        const { stdout } = spawnSync('script', ['-qec', line, '/dev/null'], {
          ...{ cwd: project, env: { PATH: process.env.PATH, HOME: home }, encoding: 'utf8' },
          input: 'fix the crash\n\u0004',
        })
        expect(stdout).toContain('Type the request, then press Ctrl-D on an empty line.')
        expect(stdout).toContain('bug_fix  ')
      }),
  )

  it('nothing on stdin is nothing; a megabyte with control characters is read, and none of them is told', () =>
    withSandbox({}, async sandbox => {
      const read = (input: string) => sandbox.run(['route', '-'], { input })
      expect(await read('\u0000\n')).toEqual({ exitCode: 2, stdout: '', stderr: EMPTY })
      const log = 'at handler (a.ts:1:2)\u001b[31m\u0000\n'.repeat(40_000)
      const { exitCode, stdout, stderr } = await read(`fix this crash\n${log}`)
      expect([exitCode, stderr]).toEqual([0, ''])
      expect(stdout).toMatch(/^bug_fix .*\n.*characters in the middle were not read/)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
    }))

  it('a broken workflow file is left out, with its place in one line; so is one for an intent that is none', () =>
    withStage(async stage => {
      stage.put('.claude/workflows/broken.yaml', 'name: [a\nb: c\n')
      stage.put('.claude/workflows/good.yaml', 'intents: [bug_fix]\n')
      stage.put('.claude/workflows/list.yaml', '- a\n')
      stage.put('.claude/workflows/misspelt.yaml', 'name: m\nintents: [bugfix]\n')
      mkdirSync(stage.at('.claude/workflows/folder.yaml'))
      expect(await stage.run(['route', '--json', 'fix the crash'])).toBe(0)
      const [problems = '', decision = ''] = stage.said.split(/^(?=\{)/m)
      expect(JSON.parse(decision).workflow_selection).toBe('@.claude/workflows/good.yaml')
      const place = 'signalbox route: .claude/workflows'
      expect(problems.trimEnd().split('\n')).toEqual([
        expect.stringMatching(`^${place}/broken.yaml:\\d:\\d .+`),
        `${place}/folder.yaml:1:1 the workflow cannot be read (it is not a regular file)`,
        `${place}/list.yaml:1:1 the file must be a mapping of keys`,
        `${place}/misspelt.yaml:2:10 there is no intent \`bugfix\`; did you mean \`bug_fix\`?`,
      ])
    }))

  it('a broken policy keeps nobody from deciding', () =>
    withStage(async stage => {
      stage.put('signalbox.yaml', 'routing: { workflows: { bug_fix: [')
      expect(await decided(stage, 'fix the crash')).toMatchObject({ intent: 'bug_fix' })
    }))

  it('in a narrow window no line is longer than it; what programs read is not broken', () =>
    withStage(async stage => {
      expect(await stage.run(['route', 'the login page crashes, fix it and add a test'], { width: 40 })).toBe(0)
      expect(stage.said.split('\n').filter(line => line.length > 40)).toEqual([])
      await stage.run(['route', '--record', 'fix the crash'], { width: 40 })
      const [decision = '', more] = stage.said.split(/(?<=^\})\n/m)
      expect(JSON.parse(decision)).toMatchObject({ intent: 'bug_fix' })
      expect(more).toContain('Nothing was recorded')
    }))
})
