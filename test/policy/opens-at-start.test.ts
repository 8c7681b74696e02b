import { describe, expect, it } from 'vitest'
import { House } from './policy-sandbox.ts'

function warningsFor(when: string, to = 'open'): readonly string[] {
  const from = to === 'open' ? 'closed' : 'open'
  const house = new House()
  house.project(`gates:
  g:
    initial: ${from}
    transitions: [{ from: ${from}, to: ${to}, when: { ${when} } }]
    rules: [{ while: ${from}, when: { command: git push }, then: deny, message: m }]
`)
  const { problems, warnings } = house.load()
  expect(problems).toEqual([])
  return warnings.map(({ line, message, help }) => `${line} ${message}; ${help}`)
}

describe('a command that opens a gate', () => {
  it.each([
    'command: npm test',
    'command: [npm test, make test]',
    'command: npm test, caller: main',
    'all: [{ command: npm test }, { caller: main }]',
    'any: [{ command: npm test }, { command: make test }]',
  ])('does so when it starts: `%s`', when => {
    expect(warningsFor(when)).toEqual([
      '4 the gate opens when this command starts, also if it fails or is denied; add `event: tool.after, succeeded: true`; if the start is enough, `event: tool.before`',
    ])
  })

  it.each([
    'command: npm test, succeeded: true',
    'event: tool.after, command: npm test, succeeded: true',
    'event: tool.before, command: npm test',
    'all: [{ command: npm test }, { event: tool.after }]',
    'any: [{ command: npm test }, { since: { closed: { turns: 3 } } }]',
    'not: { command: npm test }',
    'since: { closed: { turns: 3 } }',
  ])('is as it is meant: `%s`', when => {
    expect(warningsFor(when)).toEqual([])
  })

  it('closes a gate when it starts, which is safe', () => {
    expect(warningsFor('command: npm install', 'closed')).toEqual([])
  })
})
