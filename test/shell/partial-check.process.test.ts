import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { removeFolder } from '../support/remove-folder.ts'
import { proves } from './proves.ts'

describe('these really succeed without the test having run', () => {
  const project = () => {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-narrowing-'))
    onTestFinished(() => removeFolder(folder))
    writeFileSync(join(folder, 'Makefile'), 'RUN = touch ran\ntest:\n\t$(RUN)\n')
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { test: 'touch ran' } }))
    return folder
  }
  it.each(['make -o test test', 'make -n test', 'make --dry test', 'make --old test test', 'make test RUN=true'])(
    '%s',
    line => {
      const folder = project()
      const { status } = spawnSync('sh', ['-c', line], { cwd: folder })
      expect([status, existsSync(join(folder, 'ran')), proves('make test', line)]).toEqual([0, false, false])
    },
  )
  it.each(['npm test -script-shell=true', 'npm test -script-sh true', 'npm test ---script-shell=true'])('%s', line => {
    const folder = project()
    const { status } = spawnSync('sh', ['-c', line], { cwd: folder })
    rmSync(join(folder, 'package-lock.json'), { force: true })
    expect([status, existsSync(join(folder, 'ran')), proves('npm test', line)]).toEqual([0, false, false])
  })
})
