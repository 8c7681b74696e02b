import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Action } from '../../src/engine/index.ts'
import { usesStandardScriptShell } from '../../src/hook/facts/script-shell.ts'
import { removeFolder } from '../support/remove-folder.ts'

const runs = (program: string, files: Readonly<Record<string, string>>): boolean => {
  const top = mkdtempSync(join(tmpdir(), 'signalbox-script-shell-'))
  onTestFinished(() => removeFolder(top))
  for (const folder of ['home', 'app/src']) mkdirSync(join(top, folder), { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(top, name), text)
  const act: Action = { action: 'run', words: [{ text: program, role: 'plain' }], via: program }
  return usesStandardScriptShell(act, join(top, 'app/src'), join(top, 'home'))
}

describe('settings that an earlier call may have written', () => {
  it.each([
    ['npm', 'app/.npmrc', 'script-shell=true\n'],
    ['npm', 'app/src/.npmrc', 'a=b\nscript-shell = "/bin/true"\n'],
    ['npm', 'home/.npmrc', 'script-shell=/usr/bin/true'],
    ['pnpm', 'home/.npmrc', 'if-present=true'],
    ['npx', 'app/.npmrc', 'node-options=--require=./x.js'],
    ['yarn', 'app/.yarnrc', 'script-shell "/bin/true"\n'],
  ])('%s with %s of %j proves nothing', (program, file, text) => {
    expect(runs(program, { [file]: text })).toBe(false)
  })
  it.each([
    ['npm', 'app/.npmrc', 'script-shell=/bin/bash\n'],
    ['npm', 'app/.npmrc', 'script-shell=C:\\Program Files\\git\\bin\\bash.exe\n'],
    ['npm', 'app/.npmrc', 'ignore-scripts=true\n# script-shell=true\n'],
    ['npm', 'home/.npmrc', 'node-options=--max-old-space-size=4096'],
    ['make', 'app/.npmrc', 'script-shell=true\n'],
  ])('%s with %s of %j does', (program, file, text) => {
    expect(runs(program, { [file]: text })).toBe(true)
  })
})
