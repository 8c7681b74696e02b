import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findUrlMatch, normalizeUrl, parseUrlTemplate, type Regex, urlNames } from '../../src/engine/index.ts'

const regex: Regex = {
  search: (pattern, text) => {
    const found = new RegExp(pattern, 'i').exec(text)
    return found && { text: found[0], groups: { ...found.groups } }
  },
}
const match = (template: string, url: string) => {
  const parsed = parseUrlTemplate(template)
  if (!parsed) throw new Error(`bad template ${template}`)
  return findUrlMatch([{ template: parsed }], url, regex)
}
const PR = 'https://github.com/:owner/:repo/pull/:number'

describe('a url template', () => {
  it.each([
    [PR, 'https://github.com/user/repo/pull/42', { owner: 'user', repo: 'repo', number: '42' }],
    [PR, 'https://github.com/user/repo/pull/42/files?x=1#y', { owner: 'user', repo: 'repo', number: '42' }],
    [PR, 'http://github.com/user/repo/pull/42', { owner: 'user', repo: 'repo', number: '42' }],
    [PR, 'https://GitHub.com:443/user/repo/PULL/42', { owner: 'user', repo: 'repo', number: '42' }],
    [PR, 'https://x:y@github.com/user/repo/pull/42', { owner: 'user', repo: 'repo', number: '42' }],
    [PR, 'https://www.github.com/user/repo/pull/42', { owner: 'user', repo: 'repo', number: '42' }],
    [PR, 'https://github.com./user/repo/pull/42', { owner: 'user', repo: 'repo', number: '42' }],
    [PR, 'https://github.com/a/../user/repo/%70ull/42', { owner: 'user', repo: 'repo', number: '42' }],
    [PR, 'github.com/user/repo/pull/42', { owner: 'user', repo: 'repo', number: '42' }],
    [PR, 'https://github.com/user/repo', null],
    [PR, 'https://github.com.evil.io/user/repo/pull/42', null],
    [PR, 'https://evil.io/github.com/user/repo/pull/42', null],
    ['https://*.example.com/*rest', 'https://a.b.example.com/x/y', { rest: 'x/y' }],
    ['https://*.example.com/*rest', 'https://example.com/x', null],
    ['https://h/*/x', 'https://h/any/x/y', {}],
    ['https://h/*/x', 'https://h/any/more/x', null],
    ['https://h/release-*/x', 'https://h/Release-1.2/x/y', {}],
    ['https://h/release-*', 'https://h/released', null],
    ['https://h/*.tar.gz', 'https://h/a.tar.gz', {}],
    ['https://h/*.tar.gz', 'https://h/a/b.tar.gz', null],
    ['https://h/*.tar.gz/*rest', 'https://h/a.tar.gz/b/c', { rest: 'b/c' }],
    ['ftp://h/:a', 'https://h/x', null],
    ['https://h/:n(\\d+)', 'https://h/42/x', { n: '42' }],
    ['https://h/:n(\\d+)', 'https://h/new', null],
    ['https://h/:n(\\d+)', 'https://h/42.diff', null],
    ['https://h/:n(\\d+)', 'https://h/%34%32', { n: '42' }],
    ['https://h/:n(\\d+)', 'https://h/4…', { n: '4…' }],
    ['https://h/:a(x?y/z|[#])/b', 'https://h/y/b', null],
    ['https://h/:a(x?y|[#])/b', 'https://h/XY/b', { a: 'XY' }],
    ['https://h/a(b)/c', 'https://h/a(b)/c', {}],
  ])('%s against %s', (template, url, expected) => {
    expect(match(template, url)).toEqual(expected)
  })

  it.each([
    'https:/github.com/a/b/pull/1',
    'https:github.com/a/b/pull/1',
    'https:///github.com/a/b/pull/1',
    'https://github.com\\a\\b\\pull\\1',
    'https://%67ithub.com/a/b/pull/1',
    'https://ｇithub.com/a/b/pull/1',
    'https://github。com/a/b/pull/1',
    'https://gith\tub.com/a/b/pull/1',
    ' HTTPS://user:secret@GitHub.com./a/b/pull/1',
    'https://github.com/x/../a/./b/%70ull/%31',
    'https://github.com/%2e%2e/a/b/c/../pull/1',
  ])('%j is the plain url to whoever fetches it', url => {
    expect(normalizeUrl(url)).toBe('https://github.com/a/b/pull/1')
  })

  it.each([
    'http://localhost:3000/x?y=a\\b#c',
    'mailto:a@b.c',
    'not a url',
    '',
    'file:///etc/passwd',
    'https://h/{a,b}',
    'https://h/a%2fb/%zz/%C3%BC/..a/b..?x=/../%70',
  ])('%j stays as it is', url => {
    expect(normalizeUrl(url)).toBe(url)
  })

  it('names its parts', () => {
    expect(urlNames({ host: 'h', segments: [':a', 'x', '*', ':b(\\d+)', '*rest'] })).toEqual(['a', 'b', 'rest'])
  })

  it.each([
    ['https://h/o;rm%20-rf%20~/x', 'o%3Brm%20-rf%20~'],
    ['https://h/$(id)/x', '%24%28id%29'],
    ['https://h/`id`/x', '%60id%60'],
    ['https://h/\'"!*/x', '%27%22%21%2A'],
    ['https://h/--web/x', '%2D-web'],
    ['https://h/a%25b/x', 'a%25b'],
    ['https://h/f%C3%BCr/x', 'f%C3%BCr'],
    ['https://h/\ud800/x', '%EF%BF%BD'],
    ['https://h/@scope.a_b-c~1/x', '@scope.a_b-c~1'],
  ])('of %j no part can be a command of its own', (url, part) => {
    expect(match('https://h/:part/x', url)).toEqual({ part })
    expect(findUrlMatch([{ regex: 'h/(?<part>[^/]+)/x' }], normalizeUrl(url), regex)).toEqual({ part })
  })

  it('whatever a URL holds, its parts are one word to a shell', () => {
    const anything = fc.string({ unit: 'binary', maxLength: 40 })
    fc.assert(
      fc.property(anything, anything, (a, b) => {
        const url = normalizeUrl(`https://h/${a}/x/${b}`)
        for (const found of [match('https://h/:a/*rest', url), findUrlMatch([{ regex: 'h/(?<all>.*)' }], url, regex)])
          for (const part of Object.values(found ?? {})) expect(part).toMatch(/^(?!-)[\w.~@:+,=/…%-]*$/)
      }),
    )
  })

  it.each(['', 'https://', 'https://h/*rest/x', 'two words'])('`%s` is none', text => {
    expect(parseUrlTemplate(text)).toBeNull()
  })
})
