import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Event } from '../../src/engine/index.ts'
import * as shell from '../../src/engine/shell/index.ts'
import { withActions } from '../../src/hook/index.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-acts-')))
mkdirSync(join(root, 'docs'))
mkdirSync(join(root, 'src'))
writeFileSync(join(root, 'src/a'), '')
symlinkSync('../src/a', join(root, 'docs/link'))
symlinkSync('../src/new', join(root, 'docs/dangling'))
symlinkSync('../src', join(root, 'docs/folder'))
symlinkSync('loop', join(root, 'docs/loop'))
symlinkSync('/proc/self/cwd', join(root, 'docs/here'))
symlinkSync('/proc/self/fd', join(root, 'docs/open'))
mkdirSync(join(root, 'kept/deep'), { recursive: true })
writeFileSync(join(root, 'kept/deep/b'), '')
mkdirSync(join(root, 'tree'))
linkSync(join(root, 'kept/deep/b'), join(root, 'tree/second'))
linkSync(join(root, 'kept/deep/b'), join(root, 'tree/c'))
afterAll(() => rmSync(root, { recursive: true }))

const placeOf = (file_path: string) => actOf('Write', { file_path })
const written = (command: string) => actOf('Bash', { command })

const writtenBy = (command: string) =>
  actsOf('Bash', { command }).flatMap(({ action, place }) => (action === 'write' && place ? [place] : []))

const actOf = (tool: string, input: Record<string, string>) => actsOf(tool, input).find(act => act.place)?.place

const actsOf = (tool: string, input: Record<string, string>) => {
  const event: Event = {
    kind: 'tool.before',
    client: 'x',
    name: 'x',
    session: 's',
    caller: { kind: 'main' },
    call: { tool, input, acts: [] },
  }
  const rule = { when: { key: 'path', in: [{ glob: `${root}/kept/**`, head: `${root}/kept` }] } }
  const program = { gates: [{ rules: [rule] }] } as unknown as NonNullable<Parameters<typeof withActions>[1]['program']>
  const { call } = withActions(event, { root, cwd: root, home: '/h', shell: () => shell, program })
  return call?.acts ?? []
}

describe('deep paths that are not there', () => {
  it('cost next to nothing, also where each is another one', () => {
    const deep = (name: string): string => `${`${name}/`.repeat(1_000)}x`
    const line = `touch ${Array.from({ length: 40 }, (_, nth) => deep(`d${nth}`)).join(' ')} docs/folder/${deep('e')} src/a/${deep('f')}`
    const began = process.cpuUsage()
    const places = writtenBy(line)
    const { user, system } = process.cpuUsage(began)
    expect(places.at(-2)?.real).toBe(`${root}/src/${deep('e')}`)
    expect(places).toHaveLength(42)
    // folder by folder it was over five seconds
    expect((user + system) / 1e6).toBeLessThan(1)
  })
})

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

  it.each([
    ['tree/second', { lexical: `${root}/tree/second`, real: `${root}/kept/deep/b`, strays: true }],
    ['docs/none', { lexical: `${root}/docs/none` }],
  ])('a file with two names: %s', (path, expected) => {
    expect(placeOf(path)).toEqual(expected)
  })

  it.each([
    ['echo > tree/?', { lexical: `${root}/tree/?`, real: `${root}/kept/deep/b`, glob: true, strays: true }],
    ['cp -r x/. tree', { lexical: `${root}/x`, whole: true }],
    ['rm tree/second', { lexical: `${root}/tree/second`, whole: false }],
    ['cat tree/second', { lexical: `${root}/tree/second` }],
  ])('the same of a wildcard, and of what only reads or removes the name: %s', (line, expected) => {
    expect(written(line)).toEqual(expected)
  })

  it('the same of a folder that is written as a whole', () => {
    expect(writtenBy('cp -r x/. tree')).toContainEqual({
      lexical: `${root}/tree`,
      real: `${root}/kept/deep/b`,
      whole: true,
      strays: true,
    })
  })

  it.each([
    ['/proc/self/cwd/src/new', { lexical: `${root}/src/new` }],
    ['/proc/thread-self/cwd/src/new', { lexical: `${root}/src/new` }],
    ['//proc/./self/task/7/cwd/../x', { lexical: `${dirname(root)}/x` }],
    [`/proc/self/root${root}/src/new`, { lexical: `${root}/src/new` }],
    ['docs/here/src/new', { lexical: `${root}/docs/here/src/new`, real: `${root}/src/new` }],
    ['/proc/self/fd/7/x', { lexical: null }],
    ['/dev/fd/7/x', { lexical: null }],
    ['docs/open/7/x', { lexical: null }],
  ])('as the caller means it, not the process that judges: %s', (path, expected) => {
    expect(placeOf(path)).toEqual(expected)
  })

  it('also after the line went elsewhere', () => {
    expect(written('cd src && echo > /proc/self/cwd/new')).toEqual({ lexical: `${root}/src/new` })
  })

  it('no path is not any path', () => {
    expect(placeOf('')).toEqual({ lexical: null })
  })
})
