import { describe, expect, it } from 'vitest'
import { findUrl, parseUrlTemplate, plainUrl, type Regex, urlNames } from '../../src/pattern/index.ts'

const noRegex: Regex = { search: () => null }
const match = (template: string, url: string) => {
  const parsed = parseUrlTemplate(template)
  if (!parsed) throw new Error(`bad template ${template}`)
  return findUrl([{ template: parsed }], url, noRegex)
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
    ['ftp://h/:a', 'https://h/x', null],
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
  ])('%j is the plain url to whoever fetches it', url => {
    expect(plainUrl(url)).toBe('https://github.com/a/b/pull/1')
  })

  it.each([
    'http://localhost:3000/x?y=a\\b#c',
    'mailto:a@b.c',
    'not a url',
    '',
    'file:///etc/passwd',
    'https://h/{a,b}',
  ])('%j stays as it is', url => {
    expect(plainUrl(url)).toBe(url)
  })

  it('names its parts', () => {
    expect(urlNames({ host: 'h', segments: [':a', 'x', '*', '*rest'] })).toEqual(['a', 'rest'])
  })

  it.each(['', 'https://', 'https://h/*rest/x', 'two words'])('`%s` is none', text => {
    expect(parseUrlTemplate(text)).toBeNull()
  })
})
