import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { policyJsonSchema } from '../../src/policy/schema/json-schema.ts'
import { House } from './policy-sandbox.ts'

/** Whatever is written, loading answers with a program and problems, never with an exception. */
function survives(house: House, text: string): void {
  house.project(text)
  const { problems, layers } = house.load()
  for (const { message, line, column } of problems) {
    expect(message).not.toMatch(/\n|undefined|\[object/)
    expect(line).toBeGreaterThan(0)
    expect(column).toBeGreaterThan(0)
  }
  expect(layers).toHaveLength(1)
}

const WORDS = [
  ...[
    'use',
    'gates',
    'routes',
    'allow',
    'hooks',
    'exports',
    'adjust',
    'settings',
    'g',
    'rules',
    'transitions',
    'when',
    'unless',
  ],
  ...[
    'then',
    'message',
    'deny',
    'event',
    'tool.before',
    'command',
    'path',
    '$secrets',
    '$x',
    'url',
    'regex',
    '(',
    'any',
    'not',
  ],
  ...[
    'from',
    'to',
    'open',
    'closed',
    'initial',
    'examples',
    'stops',
    'router-first',
    './x',
    'a.md',
    '{x}',
    'mode',
    'capture',
    'json',
  ],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty'],
]

const word = fc.constantFrom(...WORDS)
const value = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 6 },
    word,
    fc.constantFrom(null, true, false, 0, 1, -1, 1e9),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(word, tie('value'), { maxKeys: 4 }),
  ),
})).value

describe('any text', () => {
  it.each([
    'use: use\n\n  use',
    '? |\n  a\n  b\n: c',
    'gates:\n  ? |\n    a\n    b\n  : c',
    'use:\n  - |\n    a\n    b',
  ])('a line break inside a name or value: %j', text => survives(new House(), text))

  it('YAML-ish lines', () => {
    const house = new House()
    const token = fc.oneof(
      word,
      fc.constantFrom(
        ': ',
        '- ',
        '\n',
        '\n  ',
        '\n    ',
        '{',
        '}',
        '[',
        ']',
        ', ',
        '"',
        "'",
        '&a ',
        '*a',
        '\t',
        '#',
        '|',
        '!!x ',
        '? ',
        '---\n',
      ),
    )
    fc.assert(
      fc.property(fc.array(token, { maxLength: 40 }), tokens => survives(house, tokens.join(''))),
      { numRuns: 400 },
    )
  }, 60_000)

  it('JSON documents', () => {
    const house = new House()
    fc.assert(
      fc.property(fc.dictionary(word, value, { maxKeys: 5 }), document => survives(house, JSON.stringify(document))),
      { numRuns: 400 },
    )
  }, 60_000)

  it('documents with the right keys and wrong values', () => {
    const house = new House()
    const rule = fc.record(
      {
        when: value,
        then: fc.constantFrom('deny', 'allow', 'x'),
        message: fc.oneof(word, value),
        unless: value,
        examples: value,
      },
      { requiredKeys: ['when', 'then'] },
    )
    const document = fc.record({
      gates: fc.dictionary(word, fc.record({ initial: fc.constant('open'), rules: fc.array(rule, { maxLength: 2 }) })),
      use: fc.array(
        fc.oneof(
          word,
          fc.dictionary(fc.constantFrom('router-first', 'orchestrator-boundary'), fc.dictionary(word, value)),
        ),
        { maxLength: 2 },
      ),
    })
    fc.assert(
      fc.property(document, one => survives(house, JSON.stringify(one))),
      { numRuns: 400 },
    )
  }, 60_000)
})

describe('the JSON Schema', () => {
  it('knows every key of the language', () => {
    const schema = policyJsonSchema()
    expect(Object.keys(Object(schema.properties))).toEqual([
      'use',
      'gates',
      'require',
      'protect',
      'limit',
      'only',
      'define',
      'routes',
      'allow',
      'hooks',
      'exports',
      'adjust',
      'routing',
      'workflows',
      'settings',
    ])
    expect(schema.additionalProperties).toBe(false)
    expect(JSON.stringify(schema)).toContain('"whitelisted"')
  })
})
