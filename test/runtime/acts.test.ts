import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Event } from '../../src/core/index.ts'
import { withActs } from '../../src/runtime/index.ts'
import * as shell from '../../src/shell/index.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-acts-')))
mkdirSync(join(root, 'docs'))
mkdirSync(join(root, 'src'))
writeFileSync(join(root, 'src/a'), '')
symlinkSync('../src/a', join(root, 'docs/link'))
symlinkSync('../src/new', join(root, 'docs/dangling'))
symlinkSync('../src', join(root, 'docs/folder'))
symlinkSync('loop', join(root, 'docs/loop'))
afterAll(() => rmSync(root, { recursive: true }))

const placeOf = (file_path: string) => actOf('Write', { file_path })
const written = (command: string) => actOf('Bash', { command })

const actOf = (tool: string, input: Record<string, string>) => {
  const event: Event = {
    kind: 'tool.before',
    client: 'x',
    name: 'x',
    session: 's',
    caller: { kind: 'main' },
    call: { tool, input, acts: [] },
  }
  const { call } = withActs(event, { root, cwd: root, home: '/h', shell: () => shell })
  return call?.acts.find(act => act.place)?.place
}

describe('where an act really writes', () => {
  it.each([
    ['src/a', { lexical: `${root}/src/a` }],
    ['docs/../src/a', { lexical: `${root}/src/a` }],
    ['~/x', { lexical: '/h/x' }],
    ['docs/link', { lexical: `${root}/docs/link`, real: `${root}/src/a` }],
    ['docs/dangling', { lexical: `${root}/docs/dangling`, real: `${root}/src/new` }],
    ['docs/folder/not/yet', { lexical: `${root}/docs/folder/not/yet`, real: `${root}/src/not/yet` }],
    ['not/there', { lexical: `${root}/not/there` }],
    ['docs/folder/../x', { lexical: `${root}/docs/x`, real: `${root}/x` }],
    ['docs/nothing/../x', { lexical: `${root}/docs/x` }],
    ['docs/folder/../../x', { lexical: `${root}/x`, real: `${dirname(root)}/x` }],
    ['src/a/below-a-file', { lexical: `${root}/src/a/below-a-file` }],
  ])('%s', (path, expected) => {
    expect(placeOf(path)).toEqual(expected)
  })

  it('a link to itself ends somewhere', () => {
    expect(placeOf('docs/loop')?.lexical).toBe(`${root}/docs/loop`)
  })

  it.each([
    ['echo > docs/*', { lexical: `${root}/docs/*`, glob: true, strays: true }],
    ['echo > docs/*/x', { lexical: `${root}/docs/*/x`, glob: true, strays: true }],
    ['echo > docs/folder/*.ts', { lexical: `${root}/docs/folder/*.ts`, real: `${root}/src/*.ts`, glob: true }],
    ['echo > src/*', { lexical: `${root}/src/*`, glob: true }],
    ['cat docs/*', { lexical: `${root}/docs/*`, glob: true }],
    ['cd docs/folder && echo > ../x', { lexical: `${root}/docs/x`, real: `${root}/x` }],
  ])('%s', (line, expected) => {
    expect(written(line)).toEqual(expected)
  })

  it('no path is not any path', () => {
    expect(placeOf('')).toEqual({ lexical: null })
  })
})
