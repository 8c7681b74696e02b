import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { removeFolder } from './support/remove-folder.ts'

it('reads commits, the work tree and both lists', () => {
  const folder = mkdtempSync(join(tmpdir(), 'same-program-'))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: folder })
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const run = (...args: string[]) => {
    try {
      return execFileSync(process.execPath, [resolve('scripts/same-program.mjs'), ...args], {
        cwd: folder,
        encoding: 'utf8',
      })
    } catch (error) {
      return (error as { stdout: string }).stdout
    }
  }
  try {
    git('init', '-q')
    write('src/a.ts', `import { b } from './b.ts'\nconsole.log(b, { kéy: 1 })`)
    write('src/b.ts', 'export const b = 1')
    git('add', '.')
    git('commit', '-qm', 'one')
    mkdirSync(join(folder, 'src/deep'))
    renameSync(join(folder, 'src/b.ts'), join(folder, 'src/deep/c.ts'))
    write('src/deep/c.ts', 'export const renamed = 1')
    write('src/a.ts', `import { renamed } from './deep/c.ts'\nconsole.log(renamed, { key: 1 })`)
    write('moves.json', '{ "src/b.ts": "src/deep/c.ts" }')
    write('properties.json', '{ "kéy": "key" }')
    expect(run('HEAD', '--moves', 'moves.json')).toMatch(
      /^src\/a.ts: .*: text: kéy \| key\n1 differences in 2 modules\n$/,
    )
    expect(run('HEAD', '--moves', 'moves.json', '--properties', 'properties.json')).toBe(
      'the same program: 2 modules\n',
    )
    git('add', '.')
    git('commit', '-qm', 'two')
    expect(run('HEAD~1', 'HEAD', '--properties', 'properties.json')).toBe('the same program: 2 modules\n')
  } finally {
    removeFolder(folder)
  }
})
