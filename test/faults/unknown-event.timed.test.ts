import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const NATIVE = join(ROOT, 'dist/native/signalbox-hook')
const home = mkdtempSync(join(tmpdir(), 'unknown-event-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** The last resorts, each without the program that would judge. */
function resorts(): readonly (readonly [string, readonly string[]])[] {
  mkdirSync(join(home, 'bin'), { recursive: true })
  for (const file of ['signalbox.cjs', 'clients.json']) copyFileSync(join(ROOT, 'bin', file), join(home, 'bin', file))
  if (existsSync(NATIVE)) copyFileSync(NATIVE, join(home, 'bin/signalbox'))
  return [
    ['Node', [process.execPath, join(home, 'bin/signalbox.cjs'), 'hook', '--client', 'claude-code']],
    ...(existsSync(NATIVE)
      ? [['native', [join(home, 'bin/signalbox'), 'hook', '--client', 'claude-code']] as const]
      : []),
    ['plugin', ['sh', join(ROOT, 'plugins/claude-code/hook')]],
  ]
}

describe.each(resorts())('%s without the program', (_, [program = '', ...args]) => {
  it.each([
    ['BeforeEverything', 2],
    ['preToolUseV2', 2],
    ['AfterEverything', 0],
    ['PermissionDenied', 0],
    ['PostToolUse', 0],
  ])('%s with a call ends with %i under closed', (name, status) => {
    const input = JSON.stringify({ hook_event_name: name, tool_name: 'Bash', tool_input: { command: 'git push' } })
    const env = { HOME: home, PATH: '/usr/bin:/bin', SIGNALBOX_DAEMON: 'off' }
    // in a copy of the plugin's folder there is no package beside it
    const line =
      program === 'sh'
        ? ['-c', `. '${args[0]}'`, join(home, 'a/b/c'), '--on-error', 'closed']
        : [...args, '--on-error', 'closed']
    expect(spawnSync(program, line, { input, env, cwd: home }).status).toBe(status)
  })
})
