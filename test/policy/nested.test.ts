import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findNestedPolicies } from '../../src/policy/index.ts'
import { removeFolder } from '../support/remove-folder.ts'

function treeOf(files: readonly string[]): string {
  const top = mkdtempSync(join(tmpdir(), 'signalbox-nested-'))
  onTestFinished(() => removeFolder(top))
  for (const file of files) {
    mkdirSync(dirname(join(top, file)), { recursive: true })
    writeFileSync(join(top, file), '')
  }
  return top
}

const foundIn = (top: string, home = '/home/nobody') =>
  findNestedPolicies(top, home).folders.map(folder => relative(top, folder))

describe('policies of folders below', () => {
  it('are found at any depth, the nearest first, also in folders with a dot; not the one of the folder itself', () => {
    const top = treeOf([
      'signalbox.yaml',
      'b/deep/er/signalbox.yaml',
      'b/signalbox.yaml',
      '.agents/signalbox.yaml',
      'c/x.yaml',
    ])
    expect(foundIn(top)).toEqual(['.agents', 'b', 'b/deep/er'])
  })

  it('are not those of packages, of git, of other repositories, nor of what a link leads to', () => {
    const top = treeOf([
      '.git/HEAD',
      '.git/signalbox.yaml',
      'node_modules/x/signalbox.yaml',
      'vendor/.git/HEAD',
      'vendor/signalbox.yaml',
      'vendor/in/signalbox.yaml',
      'worktree/.git',
      'worktree/signalbox.yaml',
      'app/signalbox.yaml',
    ])
    symlinkSync('.', join(top, 'self'))
    symlinkSync('loop', join(top, 'loop'))
    expect(foundIn(top)).toEqual(['app'])
  })

  it('are not looked for in a home, nor above it', () => {
    const top = treeOf(['me/app/signalbox.yaml'])
    expect([foundIn(top, join(top, 'me')), foundIn(join(top, 'me'), join(top, 'me')), foundIn('/', top)]).toEqual([
      [],
      [],
      [],
    ])
    expect(foundIn(join(top, 'me/app'), join(top, 'me'))).toEqual([])
  })

  it('are a hundred at most, and it is said that there are more', () => {
    const top = treeOf(Array.from({ length: 104 }, (_, nth) => `f${nth}/signalbox.yaml`))
    const { folders, cut } = findNestedPolicies(top, '/home/nobody')
    expect([folders.length, cut]).toEqual([100, 'more than 100 folders have a policy'])
  })
})
