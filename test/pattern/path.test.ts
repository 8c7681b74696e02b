import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchPathRef, type PathRef, parsePath, type Quantifier, toAbsolute } from '../../src/engine/index.ts'
import { matchGlob } from '../../src/engine/match/path.ts'
import { cpuMs } from '../support/cpu-time.ts'

const base = { root: '/p', home: '/h' }
const match = (pattern: string, place: string | PathRef, how: { tree?: boolean; reading?: Quantifier } = {}) =>
  matchPathRef(
    [parsePath(pattern, base)],
    typeof place === 'string' ? { lexical: toAbsolute(place, '/p', '/h') } : place,
    {
      tree: how.tree ?? false,
      reading: how.reading ?? 'any',
      fill: text => text,
    },
  )

describe('a path pattern', () => {
  it.each([
    ['docs/', 'docs/a.md', 'true'],
    ['docs/', 'docs/a/b.md', 'true'],
    ['docs/', 'docs', 'true'],
    ['docs/', 'docs2/a.md', 'false'],
    ['docs/', 'docs/../src/a', 'false'],
    ['docs/', 'src/../docs/a', 'true'],
    ['*.md', 'a.md', 'true'],
    ['*.md', 'sub/a.md', 'false'],
    ['**/*.md', 'sub/deep/a.md', 'true'],
    ['**/*.md', 'a.md', 'true'],
    ['src/*/index.ts', 'src/a/index.ts', 'true'],
    ['src/*/index.ts', 'src/a/b/index.ts', 'false'],
    ['{src,lib}/**', 'lib/x', 'true'],
    ['a?.ts', 'ab.ts', 'true'],
    ['~/notes/', '~/notes/x', 'true'],
    ['/etc/hosts', '/etc/hosts', 'true'],
    ['./', 'anything/below', 'true'],
    ['./', '/elsewhere', 'false'],
  ])('%s against %s is %s', (pattern, path, expected) => {
    expect(match(pattern, path)).toBe(expected)
  })

  it('is unknown where the path cannot be told', () => {
    expect(match('docs/', { lexical: null })).toBe('unknown')
  })

  it('sees a rule touched by either spelling, and an exemption only by both', () => {
    const link = { lexical: '/p/docs/link', real: '/p/src/a' }
    expect(match('src/', link)).toBe('true')
    expect(match('docs/', link)).toBe('true')
    expect(match('docs/', link, { reading: 'all' })).toBe('false')
  })

  it('deleting a parent touches its children, and is not cleared by them', () => {
    expect(match('docs/a.md', 'docs', { tree: true })).toBe('true')
    expect(match('docs/a.md', 'docs', { tree: true, reading: 'all' })).toBe('false')
    expect(match('docs/a.md', 'doc', { tree: true })).toBe('false')
    expect(match('**/*.md', 'docs', { tree: true })).toBe('true')
  })

  it.each([
    ['src/', 'src/*', 'true'],
    ['src/a.ts', 'src/*', 'true'],
    ['src/.env', 'src/*', 'unknown'],
    ['src/*.ts', 'src/a*', 'unknown'],
    ['docs/', 'src/*', 'false'],
    ['signalbox.yaml', '*', 'true'],
    ['docs/', '*', 'unknown'],
    // `src/*/../x` may be anything below src
    ['src/', 'src/*/../../x', 'unknown'],
  ])('%s against the wildcard %s is %s', (pattern, path, expected) => {
    expect(match(pattern, { lexical: `/p/${path}`, glob: true })).toBe(expected)
  })

  it('does not tell case apart where the disk does not', () => {
    expect(match('docs/', { lexical: '/p/DOCS/a', foldCase: true })).toBe('true')
    expect(match('docs/', { lexical: '/p/DOCS/a' })).toBe('false')
  })

  it('answers fast on hostile patterns and paths', () => {
    const began = cpuMs()
    match(`${'**/'.repeat(40)}x`, `${'a/'.repeat(2000)}b`)
    match(`${'*a'.repeat(60)}`, 'a'.repeat(20_000))
    expect(cpuMs() - began).toBeLessThan(500)
  })
})

describe('what a pattern is written around', () => {
  it('tells of most places that they are others', () => {
    expect(['**/signalbox.yaml', 'src/*.ts', 'docs/', '{a,b}/c', '*', 'a/b'].map(one => parsePath(one, base))).toEqual([
      { glob: '/p/**/signalbox.yaml', head: '/p', tail: '/signalbox.yaml' },
      { glob: '/p/src/*.ts', head: '/p/src', tail: '.ts' },
      { glob: '/p/docs/**', head: '/p/docs' },
      { glob: '/p/{a,b}/c', head: '/p', tail: '/c' },
      { glob: '/p/*', head: '/p' },
      { glob: '/p/a/b' },
    ])
  })

  it('never of one that it matches', () => {
    const part = fc.constantFrom(
      'a',
      'b.ts',
      '*',
      '**',
      '?',
      '*.ts',
      'a*',
      '{a,b}',
      '{a,b.ts}',
      'x{a,b}*',
      '[a]',
      'a[b',
    )
    const name = fc.constantFrom('a', 'b', 'b.ts', 'ab', 'xa', 'xbc', '[a]', 'a[b', '.ts')
    const path = (parts: fc.Arbitrary<string>) =>
      fc.array(parts, { minLength: 1, maxLength: 4 }).map(all => `/${all.join('/')}`)
    fc.assert(
      fc.property(path(part), path(name), (glob, file) => {
        expect(match(glob, file)).toBe(matchGlob(glob, file) ? 'true' : 'false')
      }),
      { numRuns: 2000 },
    )
  })
})
