import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findNativeHook } from '../../src/app/install/program/native-hook.ts'
import { HOOK, isBuilt } from '../support/native/hook.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const jsonIn = (file: string) => JSON.parse(readFileSync(file, 'utf8'))
const { version } = jsonIn(join(ROOT, 'package.json'))
const here = `${process.platform}-${process.arch}`

function inFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-packages-'))
  try {
    return work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe('a platform package', () => {
  it.each(readdirSync(join(ROOT, 'packages')))(
    '%s says whom it is for, and has nothing that runs when installed',
    name => {
      const { scripts, dependencies, ...manifest } = jsonIn(join(ROOT, 'packages', name, 'package.json'))
      const [, os, cpu] = name.split('-')
      expect({ scripts, dependencies, ...manifest }).toMatchObject({
        name: `signalbox-${name}`,
        version,
        os: [os],
        cpu: [cpu],
        files: ['signalbox-hook'],
        scripts: undefined,
        dependencies: undefined,
      })
    },
  )
})

describe.runIf(isBuilt && !process.env.SIGNALBOX_NATIVE)('the native hook', () => {
  it('that was built here is chosen', () => {
    expect(findNativeHook({ folder: ROOT, version })).toBe(HOOK)
    expect(findNativeHook({ folder: ROOT, version: '9.9.9' })).toBeUndefined()
  })

  it('is the package for this platform, where it runs', () =>
    inFolder(folder => {
      const home = join(folder, `node_modules/signalbox-hook-${here}`)
      expect(findNativeHook({ folder, version })).toBeUndefined()
      mkdirSync(home, { recursive: true })
      writeFileSync(join(home, 'package.json'), '{}')
      writeFileSync(join(home, 'signalbox-hook'), 'for another machine', { mode: 0o755 })
      expect(findNativeHook({ folder, version })).toBeUndefined()
      copyFileSync(HOOK, join(home, 'signalbox-hook'))
      expect(findNativeHook({ folder, version })).toBe(join(home, 'signalbox-hook'))
    }))

  it('is named by what is published, and comes with it', () =>
    inFolder(folder => {
      for (const name of ['package.json', 'packages', 'bin', 'dist', 'scripts', 'native', 'README.md', 'LICENSE'])
        cpSync(join(ROOT, name), join(folder, name), { recursive: true })
      for (const name of readdirSync(join(folder, 'packages')))
        rmSync(join(folder, 'packages', name, 'signalbox-hook'), { force: true })
      const own = join(folder, `packages/hook-${here}`)
      if (!existsSync(own)) return
      copyFileSync(HOOK, join(own, 'signalbox-hook'))
      const { status, stderr } = spawnSync(process.execPath, ['scripts/pack.mjs', 'out'], {
        cwd: folder,
        encoding: 'utf8',
      })
      expect([status, stderr.match(/left out/g)?.length]).toEqual([0, readdirSync(join(folder, 'packages')).length - 1])
      for (const name of readdirSync(join(folder, 'out')))
        spawnSync('tar', ['xf', join(folder, 'out', name), '--one-top-level'], { cwd: folder })
      const unpacked = (name: string) => join(folder, `${name}-${version}/package`)
      const manifest = jsonIn(join(unpacked('signalbox'), 'package.json'))
      expect(manifest.optionalDependencies).toEqual({ [`signalbox-hook-${here}`]: version })
      expect([manifest.scripts, existsSync(join(unpacked('signalbox'), 'dist/native'))]).toEqual([undefined, false])
      const file = join(unpacked(`signalbox-hook-${here}`), 'signalbox-hook')
      expect(spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout).toBe(`signalbox-hook ${version}\n`)
    }))
})
