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

it.runIf(onReadOnlyDisk('true').status === 0)('no mode helps on a disk that is mounted to be read only', () => {
  const { stdout } = onReadOnlyDisk(`"${process.execPath}" "${BIN}" doctor`)
  expect(stdout).toContain('LOG-READONLY')
  expect(stdout).toContain('is on a disk that is mounted to be read only')
  expect(stdout).toContain('set XDG_STATE_HOME to a folder on another disk')
  expect(stdout).not.toContain('chmod')
})
