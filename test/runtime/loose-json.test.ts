import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseLooseJson } from '../../src/hook/facts/loose-json.ts'
import { cpuMs } from '../support/cpu-time.ts'

describe('JSON as models write it', () => {
  it.each([
    ['{"a": 1}', { a: 1 }],
    ['Here it is:\n```json\n{"a": [1, 2,],}\n```\nDone.', { a: [1, 2] }],
    ["{'a': 'it''s'}", undefined],
    ["{'intent': 'bug_fix', 'ok': True, 'none': None}", { intent: 'bug_fix', ok: true, none: null }],
    ['I think {this} is: {"a": {"b": "}"}} right', { a: { b: '}' } }],
    ['{a: 1, "b": "\\u0041\\n"}', { a: 1, b: 'A\n' }],
    ['two {"a":1} and {"b":2,"c":3}', { b: 2, c: 3 }],
    ['[{"a":1}]', [{ a: 1 }]],
    ['no json here', undefined],
    ['{"a": ', undefined],
    ['', undefined],
    ['{"__proto__": {"x": 1}}', JSON.parse('{"__proto__": {"x": 1}}')],
  ])('%s', (text, expected) => {
    expect(parseLooseJson(text)).toEqual(expected)
  })

  it('finds what JSON.stringify wrote, in the middle of prose', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue()), value => {
        if (Object.keys(value).length === 0) return
        expect(parseLooseJson(`Well: ${JSON.stringify(value)} that is it`)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it('never throws, and does not hang', () => {
    fc.assert(fc.property(fc.string({ maxLength: 300 }), text => void parseLooseJson(text)))
    const began = cpuMs()
    for (const piece of ['{', '[', '{"a":', '{"', "{'a':[", '\\']) parseLooseJson(piece.repeat(100_000))
    expect(cpuMs() - began).toBeLessThan(2000)
  })
})
