import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appendItem, setAt } from '../../src/app/install/settings-file/edit-jsonc.ts'
import type { Json } from '../../src/lib/json.ts'
import { onMachine } from './machine.ts'

const piece = fc.constantFrom(
  '[ ',
  ' ]',
  '{ ',
  ' }',
  ' , ',
  '\n',
  '\r\n  ',
  '\\',
  '"',
  '\u2028',
  'é',
  '\ud83d\ude00',
  '\\n ]',
  '": ',
)
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.oneof(piece, fc.string())).map(parts => parts.join('')),
)
const { value } = fc.letrec<{ value: Json }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      text.filter(key => key !== '__proto__'),
      tie('value'),
      { maxKeys: 4 },
    ),
  ),
}))

describe('what is put into a file that is one line', () => {
  it('is read back as it was, and stays on the line', () => {
    fc.assert(
      fc.property(value, item => {
        const appended = appendItem('{"hooks":{"a":[1]}}', ['hooks', 'a'], item)
        const nested = appendItem('{"x":1}', ['hooks', 'a'], item)
        const replaced = setAt('{"hooks": {"a": 1}}', ['hooks', 'a'], item)
        expect(JSON.parse(appended)).toEqual({ hooks: { a: [1, item] } })
        expect(JSON.parse(nested)).toEqual({ x: 1, hooks: { a: [item] } })
        expect(JSON.parse(replaced)).toEqual({ hooks: { a: item } })
        expect(appended + nested + replaced).not.toContain('\n')
      }),
    )
  })
})

const SETTINGS = '{"permissions":{"allow":["Bash(ls:*)"]}}'

describe('init', () => {
  it('puts a hook that works into settings of one line', () =>
    onMachine(async machine => {
      machine.put('my shop/.claude/settings.json', SETTINGS)
      const ran = await machine.run(['init', '--yes', '--client', 'claude-code', '--scope', 'project'])
      expect([ran.exitCode, ran.stdout]).toEqual([0, expect.stringMatching(/ {2}ENFORCING/)])
      const { hooks } = machine.json('my shop/.claude/settings.json')
      expect(hooks.PreToolUse[0].hooks[0].command).toMatch(/until \[ -f .* \]; do/)
    }))

  it.each([SETTINGS, undefined])('takes a hook back that does nothing, byte for byte, and says so: %s', settings =>
    onMachine(async machine => {
      if (settings !== undefined) machine.put('my shop/.claude/settings.json', settings)
      // the agent's shell starts nothing
      const bin = join(machine.folder, 'bin')
      mkdirSync(bin)
      writeFileSync(join(bin, 'sh'), '#!/bin/true\n')
      chmodSync(join(bin, 'sh'), 0o755)
      const env = machine.env()
      const ran = await machine.run(['init', '--yes', '--client', 'claude-code', '--scope', 'project'], {
        env: { PATH: `${bin}:${env.PATH}` },
      })
      expect(ran.exitCode).toBe(1)
      expect(ran.stdout).toContain('NOT ENFORCING')
      expect(ran.stderr).toMatch(
        /settings\.json was restored, because its hook does not work: the test call was not denied\n/,
      )
      expect(machine.has('my shop/.claude/settings.json')).toBe(settings !== undefined)
      if (settings !== undefined) expect(machine.read('my shop/.claude/settings.json')).toBe(settings)
      expect(machine.read('.local/state/signalbox/install.json')).not.toContain('settings.json')
      // with a shell that works it is put there after all
      expect((await machine.run(['init', '--yes', '--client', 'claude-code', '--scope', 'project'])).exitCode).toBe(0)
      expect((await machine.run(['uninstall', '--yes', '--scope', 'project'])).exitCode).toBe(0)
      expect(machine.has('my shop/.claude/settings.json')).toBe(settings !== undefined)
      if (settings !== undefined) expect(machine.read('my shop/.claude/settings.json')).toBe(settings)
    }),
  )
})
