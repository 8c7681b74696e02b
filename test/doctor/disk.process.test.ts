import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { BIN } from '../support/sandbox.ts'

const folder = mkdtempSync(join(tmpdir(), 'signalbox-disk-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** In a namespace of its own, in which nothing is left to be unmounted. Not everybody may. */
const onReadOnlyDisk = (command: string) =>
  spawnSync('unshare', ['-m', 'sh', '-c', `mount -t tmpfs -o ro none "$1" && ${command}`, 'sh', folder], {
    encoding: 'utf8',
    env: { ...process.env, HOME: folder, SIGNALBOX_HOME: folder },
  })

const mayMount = onReadOnlyDisk('true').status === 0

it.runIf(mayMount)('no mode helps on a disk that is mounted to be read only', () => {
  const { stdout } = onReadOnlyDisk(`"${process.execPath}" "${BIN}" doctor`)
  expect(stdout).toContain('LOG-READONLY')
  expect(stdout).toContain('is on a disk that is mounted read-only')
  expect(stdout).toContain('set XDG_STATE_HOME to a folder on another disk')
  expect(stdout).not.toContain('chmod')
  // nothing was ever written there
  expect(stdout).toContain('only rules that need no stored state are enforced')
})

/** A state is written, then nothing more can be. */
const afterOneCall = (how: string) => {
  const signalbox = `"${process.execPath}" "${BIN}"`
  const call = JSON.stringify({ session_id: 's', cwd: folder, hook_event_name: 'SessionStart', source: 'startup' })
  const script = `mount -t tmpfs -o mode=700,size=8m none "$1" && echo '${call}' | ${signalbox} hook --client claude-code && ${how} && ${signalbox} doctor`
  return spawnSync('unshare', ['-m', 'sh', '-c', script, 'sh', folder], {
    encoding: 'utf8',
    env: { ...process.env, HOME: folder, SIGNALBOX_HOME: folder, SIGNALBOX_DAEMON: 'off' },
  }).stdout
}

it.runIf(mayMount).each([
  ['LOG-READONLY', 'mount -o remount,ro "$1"'],
  ['DISK-LOW', 'true'],
])('%s says that calls are judged by the last written state', (id, how) => {
  const [, said = ''] = afterOneCall(how).split(id)
  expect(said).toMatch(/^ .*calls are evaluated with the state that was written last/)
})
