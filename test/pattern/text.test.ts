import { describe, expect, it } from 'vitest'
import { matchFields, type TextPattern } from '../../src/engine/index.ts'
import { matchAllowLists } from '../../src/engine/match/allow-list.ts'
import { findUrlMatch } from '../../src/engine/match/url.ts'
import { regex } from '../../src/hook/services/regex.ts'
import { cpuMs } from '../support/cpu-time.ts'

const tools = { regex, fill: (value: string) => value }
const truthOf = (pattern: TextPattern, value: string) =>
  matchFields([{ field: 'x', in: [pattern] }], () => value, tools)
const HEAVY = ['.{1,900}x', '(a{1,30}){1,30}b', '((a|b){1,20}c?){1,40}d', '(.{1,450}|.{1,450}e){2}f']

describe.each(HEAVY)('a regex that is a long program: %s', pattern => {
  it('is found near the beginning, unknown further on, and takes no second', () => {
    const began = cpuMs()
    const reach = regex.reach?.(pattern) ?? 0
    expect([reach > 500, reach < 10_000]).toEqual([true, true])
    expect(truthOf({ regex: pattern }, 'ö'.repeat(reach))).toMatch(/true|false/)
    expect(truthOf({ regex: pattern }, 'a'.repeat(1_000_000))).toBe('unknown')
    expect(cpuMs() - began).toBeLessThan(2000)
  })

  it('clears no command it cannot see the whole of, and routes no address', () => {
    const words = [{ text: 'a'.repeat(100_000), role: 'plain' as const }]
    const allowed = { layer: 'user' as const, paths: [], commands: [], patterns: [{ regex: `^(${pattern})?a*$` }] }
    expect(matchAllowLists([allowed], ['user'], { words }, tools)).toBe('false')
    expect(findUrlMatch([{ regex: `${pattern}#` }], `https://a.io/${'a'.repeat(100_000)}`, regex)).toBeNull()
  })
})

it('the end of what a regex reads is not the end of the text', () => {
  const harmless = 'a'.repeat(60_000)
  expect(truthOf({ regex: '^[a-z]+$' }, `${harmless}; rm -rf src`)).toBe('unknown')
  expect(truthOf({ regex: '^[a-z]{3}' }, `${harmless}; rm -rf src`)).toBe('unknown')
  expect(truthOf({ regex: '^b' }, `b${harmless}; rm -rf src`)).toBe('true')
})

it('an ordinary regex reads as far as ever', () => {
  expect(truthOf({ regex: '(\\w+\\s*)+:$' }, `${'word '.repeat(9000)}:`)).toBe('true')
  expect(truthOf({ regex: 'x$' }, 'a'.repeat(49_999))).toBe('false')
  expect(truthOf({ regex: 'x$' }, 'a'.repeat(50_001))).toBe('unknown')
})

it('a regex that is asked of the same text again answers from memory, of another one anew', () => {
  const found = regex.search('b(?P<rest>.)', 'abc')
  expect(regex.search('b(?P<rest>.)', ['a', 'bc'].join(''))).toBe(found)
  expect(regex.search('b(?P<rest>.)', 'abd')).toEqual({ text: 'bd', groups: { rest: 'd' } })
  expect(regex.search('b', 'c')).toBeNull()
})
