import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

const placeOf = (file_path: string) => {
  const event: Event = {
    kind: 'tool.before',
    client: 'x',
    name: 'x',
    session: 's',
    caller: { kind: 'main' },
    call: { tool: 'Write', input: { file_path }, acts: [] },
  }
  return withActs(event, { root, cwd: root, home: '/h', shell: () => shell }).call?.acts[0]?.place
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
    ['src/a/below-a-file', { lexical: `${root}/src/a/below-a-file` }],
  ])('%s', (path, expected) => {
    expect(placeOf(path)).toEqual(expected)
  })

  it('a link to itself ends somewhere', () => {
    expect(placeOf('docs/loop')?.lexical).toBe(`${root}/docs/loop`)
  })

  it('no path is not any path', () => {
    expect(placeOf('')).toEqual({ lexical: null })
  })
})
