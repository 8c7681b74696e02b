import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withStage } from '../support/in-process-command.ts'
import { CALL, lineIn, onMachine } from './machine.ts'

const init = ['init', '--yes', '--client', 'claude-code']

describe('a home that is none', () => {
  it.each([
    ['', 'HOME is empty'],
    ['relative', 'HOME is `relative`, which is not an absolute path'],
  ])('"%s": one line, and nothing is written', (HOME, said) =>
    onMachine(async machine => {
      const before = machine.tree()
      for (const args of [[...init, '--dry-run'], init, ['uninstall', '--yes'], ['doctor']]) {
        const ran = await machine.run(args, { env: { HOME } })
        expect(ran.exitCode, ran.stderr).toBe(2)
        expect(ran.stderr).toBe(
          `signalbox ${args[0]}: ${said}. Nothing was read or changed. Set HOME to your home folder\n`,
        )
      }
      expect(machine.tree()).toEqual(before)
    }),
  )
})

it('who only looks stores nothing', () =>
  withStage(async stage => {
    stage.put('signalbox.yaml', 'gates: { g: { rules: [{ when: { event: tool.before }, then: warn, message: x }] } }\n')
    for (const args of [
      ['init', '--dry-run', '--client', 'claude-code'],
      ['init', '--dry-run', '--adopt', '--client', 'claude-code'],
      ['doctor'],
    ]) {
      await stage.run(args)
      expect(existsSync(stage.at('~/.local')), `${args}: ${stage.said}`).toBe(false)
    }
  }))

describe('the line of a project', () => {
  it(
    'ends, whatever the folder is that the agent names; and finds the program where the program itself would',
    () =>
      onMachine(async machine => {
        await machine.run(init)
        await machine.run([...init, '--scope', 'project'])
        const line = lineIn(machine.json('my shop/.claude/settings.json'), 'PreToolUse')
        for (const env of [
          { CLAUDE_PROJECT_DIR: 'my shop' },
          { XDG_DATA_HOME: 'relative' },
          { CLAUDE_PROJECT_DIR: machine.project },
        ]) {
          const { stdout } = await machine.shell(line, { input: CALL, env })
          expect(stdout, JSON.stringify(env)).toContain('Only people can switch Signalbox')
        }
        const gone = await machine.shell(line, { input: CALL, cwd: '/', env: { CLAUDE_PROJECT_DIR: 'proj' } })
        expect(gone).toMatchObject({ exitCode: 0, stderr: 'signalbox: there is no .signalbox/hook in this project\n' })
      }),
    60_000,
  )

  it(
    'prefers what only the person writes to what lies in the project',
    () =>
      onMachine(async machine => {
        await machine.run(init)
        await machine.run([...init, '--scope', 'project'])
        const line = lineIn(machine.json('my shop/.claude/settings.json'), 'PreToolUse')
        machine.put('my shop/node_modules/.bin/signalbox', '#!/bin/sh\necho project\n', 0o755)
        expect((await machine.shell(line, { input: CALL })).stdout).toContain('Only people can switch Signalbox')
        const env = { HOME: join(machine.folder, 'else') }
        expect((await machine.shell(line, { input: CALL, env })).stdout).toBe('project\n')
      }),
    60_000,
  )
})

it(
  "a refusal that is somebody else's proves nothing",
  () =>
    withStage(async stage => {
      // Signalbox guards itself no more, and a hook refuses all there is
      mkdirSync(stage.at('~/.config/signalbox'), { recursive: true })
      writeFileSync(
        stage.at('~/.config/signalbox/signalbox.yaml'),
        'adjust: { self-protection: { mode: observe } }\nhooks: [{ event: tool.before, run: "echo never >&2; exit 2" }]\n',
      )
      expect(await stage.run(init)).toBe(1)
      expect(stage.said.replace(/\s+/g, ' ')).toContain('denied, but not by Signalbox: never NOT ENFORCING')
      expect(readdirSync(stage.home)).toContain('.claude')
    }),
  60_000,
)
