import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchPathRef, type PathRef, parsePath, type Quantifier, toAbsolute } from '../../src/engine/index.ts'
import { matchGlob } from '../../src/engine/match/path.ts'
import { reachOf } from '../../src/engine/match/path-ref.ts'
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
    expect(match('{docs,src}/*.md', 'docs', { tree: true })).toBe('true')
  })

  it.each([
    // the folder that the pattern is below of, or one above it
    ['**/.env', '.', 'true'],
    ['**/.env', '/', 'true'],
    ['src/**/*.lock', 'src', 'true'],
    ['**/secrets/*.pem', 'a/secrets', 'true'],
    // any folder below: nobody knows whether it has such a file
    ['**/.env', 'build', 'unknown'],
    ['**/*.md', 'docs', 'unknown'],
    ['src/**/*.lock', 'src/x', 'unknown'],
    ['src/*/a', 'src/x', 'true'],
    // `*` does not cross folders
    ['*.md', 'docs', 'false'],
    ['src/*.ts', 'src/x', 'false'],
    ['src/**/*.lock', 'lib', 'false'],
  ])('deleting: %s against the folder %s is %s', (pattern, path, expected) => {
    expect(match(pattern, path, { tree: true })).toBe(expected)
    expect(match(pattern, { lexical: toAbsolute(path, '/p', '/h'), whole: false }, { tree: true })).toBe('false')
  })

  it.each([
    ['~/.ssh/', '~', 'true'],
    ['~/.ssh/id_*', '/', 'true'],
    ['~/**/id_rsa', '~', 'unknown'],
    ['~/.ssh/', '~/.aws', 'false'],
    // what is in the project is read all the time
    ['**/.env', '.', 'false'],
    ['.env', '/', 'false'],
    ['secrets/', 'secrets/a', 'true'],
  ])('reading: %s against the folder %s is %s', (pattern, path, expected) => {
    const ref = { lexical: toAbsolute(path, '/p', '/h'), whole: true }
    const how = {
      ...reachOf('read', { root: '/p', home: '/h' }),
      reading: 'any' as const,
      fill: (text: string) => text,
    }
    expect(matchPathRef([parsePath(pattern, base)], ref, how)).toBe(expected)
  })

  it('in a home folder that is the project, a recursive read touches everything', () => {
    const how = {
      ...reachOf('search', { root: '/h', home: '/h' }),
      reading: 'any' as const,
      fill: (text: string) => text,
    }
    const inHome = [parsePath('~/.ssh/', { root: '/h', home: '/h' })]
    expect(matchPathRef(inHome, { lexical: '/h' }, how)).toBe('true')
    expect(matchPathRef(inHome, { lexical: '/h', whole: false }, how)).toBe('false')
  })

  it('a wildcard for one name is no file of another name', () => {
    expect(match('**/.env', { lexical: '/p/*.txt', glob: true })).toBe('false')
    expect(match('**/.env', { lexical: '/p/*', glob: true })).toBe('unknown')
    expect(match('**/.env', { lexical: '/p/*.txt', glob: true, whole: true })).toBe('unknown')
    expect(match('**/.env', { lexical: '/p/.en?(v)', glob: true })).toBe('unknown')
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
