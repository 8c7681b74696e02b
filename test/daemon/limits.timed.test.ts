import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { findResourceLimit } from '../../src/hook/daemon/resource-limits.ts'

const FREE = `Limit                     Soft Limit           Hard Limit           Units
Max cpu time              unlimited            unlimited            seconds
Max file size             unlimited            unlimited            bytes
Max data size             unlimited            unlimited            bytes
Max open files            1024                 524288               files
Max address space         unlimited            unlimited            bytes
`

it.each([
  [FREE, undefined],
  ['', undefined],
  [
    FREE.replace('file size             unlimited', 'file size             60000    '),
    'file size is limited to 60000 (ulimit)',
  ],
  [
    FREE.replace('cpu time              unlimited', 'cpu time              10       '),
    'cpu time is limited to 10 (ulimit)',
  ],
  [FREE.replace('1024 ', '48   '), 'only 48 files may be open (ulimit -n), and 1024 are needed'],
])('a limit of whoever started it would be one of every caller: case %#', (limits, said) => {
  expect(findResourceLimit(limits)).toBe(said)
})

it.runIf(process.platform === 'linux').each(['ulimit -f 100', 'ulimit -n 200', 'ulimit -t 60'])(
  'a daemon does not serve under %s, and says so',
  limit => {
    const home = mkdtempSync(join(tmpdir(), 'signalbox-limits-'))
    try {
      const bin = resolve(import.meta.dirname, '../../bin/signalbox.cjs')
      const line = `${limit}; exec '${process.execPath}' '${bin}' daemon serve`
      const env = { PATH: process.env.PATH ?? '', HOME: home, SIGNALBOX_HOME: home }
      const { signal } = spawnSync('sh', ['-c', line], { env, timeout: 15_000 })
      expect(signal).toBeNull()
      expect(readFileSync(join(home, 'state/run/log'), 'utf8')).toMatch(/could not start: .*\(ulimit/)
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  },
)
