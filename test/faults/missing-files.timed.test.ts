import { copyFileSync, cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BIN } from '../support/sandbox.ts'
import { inPlace, type Place } from './hook-starters.ts'

const ROOT = join(import.meta.dirname, '../..')
const BUNDLES = readdirSync(join(ROOT, 'dist')).filter(name => name.endsWith('.cjs'))
const CLIENT = 'claude-code'
/** What a hook of this client may load. */
const LOADED = BUNDLES.filter(
  name => !/^(daemon|run|stats)\./.test(name) && !(name.startsWith('client-') && name !== `client-${CLIENT}.cjs`),
)

/** The program as it is installed, without one of its files. */
function programWithout(name: string, { folder }: Place): readonly string[] {
  const copy = join(folder, 'program')
  mkdirSync(join(copy, 'dist'), { recursive: true })
  for (const one of BUNDLES) copyFileSync(join(ROOT, 'dist', one), join(copy, 'dist', one))
  cpSync(join(BIN, '..'), join(copy, 'bin'), { recursive: true })
  for (const one of ['packs', 'node_modules', 'package.json']) symlinkSync(join(ROOT, one), join(copy, one))
  rmSync(join(copy, 'dist', name))
  return [process.execPath, join(copy, 'bin/signalbox.cjs')]
}

describe('a program of which one file is missing', () => {
  it.each(LOADED)('%s: where failures are closed, no call passes that nobody judged', { timeout: 60_000 }, name =>
    inPlace('one-shot', 'closed by the command', async place => {
      const program = programWithout(name, place)
      const reply = await place.call(CLIENT, place.payload(CLIENT), { program })
      expect(place.outcome(CLIENT, reply)).toBe('refused')
    }),
  )

  it('shell.cjs: where they are open, the call is denied too, since nobody knows what the built-in gate would say', () =>
    inPlace('one-shot', 'open', async place => {
      const program = programWithout('shell.cjs', place)
      const reply = await place.call(CLIENT, place.payload(CLIENT), { program })
      expect(place.outcome(CLIENT, reply)).toBe('refused')
      const read = JSON.stringify({
        ...JSON.parse(place.payload(CLIENT)),
        tool_name: 'Read',
        tool_input: { file_path: 'a' },
      })
      expect((await place.call(CLIENT, read, { program })).stdout).not.toContain('deny')
    }))

  it('tool-shape.cjs: where they are open, a plain shell call is judged without it, and every other call is denied', () =>
    inPlace('one-shot', 'open', async place => {
      const program = programWithout('tool-shape.cjs', place)
      const replyTo = async (more: object) => place.call(CLIENT, place.payload(CLIENT, more), { program })
      expect((await replyTo({ tool_input: { command: 'git push' } })).stdout).toContain('Do not push.')
      expect((await replyTo({ tool_input: { command: 'git status' } })).stdout).toBe('')
      const path = join(place.project, 'signalbox.yaml')
      for (const call of [
        { tool_name: 'Write', tool_input: { file_path: path, content: 'x' } },
        { tool_name: 'mcp__files__write_file', tool_input: { path } },
        { tool_name: 'run_terminal_command', tool_input: { command: 'git push' } },
      ])
        expect(place.outcome(CLIENT, await replyTo(call))).toBe('refused')
    }))

  it('read-only.cjs: where they are open, a call of a program that the reader knows otherwise is judged without it, and others are denied', () =>
    inPlace('one-shot', 'open', async place => {
      const program = programWithout('read-only.cjs', place)
      const replyTo = async (command: string) =>
        place.call(CLIENT, place.payload(CLIENT, { tool_input: { command } }), { program })
      expect((await replyTo('git push')).stdout).toContain('Do not push.')
      expect((await replyTo('git status')).stdout).toBe('')
      for (const line of ['gh pr view 1', 'cd sub && npm ls', 'git push; docker ps'])
        expect(place.outcome(CLIENT, await replyTo(line))).toBe('refused')
    }))

  it('embedded-code.cjs: where they are open, a call that can be read is judged without it, and one in doubt is denied', () =>
    inPlace('one-shot', 'open', async place => {
      const program = programWithout('embedded-code.cjs', place)
      const replyTo = async (command: string) =>
        place.call(CLIENT, place.payload(CLIENT, { tool_input: { command } }), { program })
      expect((await replyTo('git push')).stdout).toContain('Do not push.')
      expect((await replyTo('git status')).stdout).toBe('')
      for (const line of ["python3 -c 'x'", 'eval "$x"', "GIT_PAGER='less -R' git log"])
        expect(place.outcome(CLIENT, await replyTo(line))).toBe('refused')
    }))

  it('rare-programs.cjs: a call of a program that runs commands is judged without it, and denied', () =>
    inPlace('one-shot', 'open', async place => {
      const program = programWithout('rare-programs.cjs', place)
      const replyTo = async (command: string) =>
        place.call(CLIENT, place.payload(CLIENT, { tool_input: { command } }), { program })
      expect((await replyTo('git status')).stdout).toBe('')
      expect(place.outcome(CLIENT, await replyTo('docker exec db ls'))).toBe('refused')
    }))
})
