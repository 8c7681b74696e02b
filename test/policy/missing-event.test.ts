import { describe, expect, it } from 'vitest'
import { House } from './policy-sandbox.ts'

const gate = (when: string, to: string): string => {
  const from = to === 'open' ? 'closed' : 'open'
  return `gates:
  g:
    initial: ${from}
    transitions: [{ id: t, from: ${from}, to: ${to}, when: { ${when} } }]
    rules: [{ while: ${from}, when: { command: git push }, then: deny, message: m }]
`
}

const problemsOf = (when: string, to = 'open'): readonly string[] =>
  new House().problems(gate(when, to)).map(line => line.replace(/^signalbox\.yaml:4:\d+ /, ''))

const START_OR_END =
  'add `event: tool.after` and `succeeded: true` for a call that has succeeded, or `event: tool.before` if its start is enough'

describe('a transition without `event`', () => {
  it.each([
    ['command: npm test', 'command', START_OR_END],
    ['caller: main, command: [npm test, make test]', 'command', START_OR_END],
    ['all: [{ caller: main }, { path: docs/ }]', 'path', START_OR_END],
    ['any: [{ since: { closed: { turns: 3 } } }, { command: npm test }]', 'command', START_OR_END],
    ['not: { command: npm test }', 'command', START_OR_END],
    ['with: { action: fetch }, gate: { g: closed }', 'with', START_OR_END],
    ['action: write', 'action', START_OR_END],
    ['tool: Write', 'tool', START_OR_END],
    ['url: https://acme.com', 'url', START_OR_END],
    ['input: { x: y }', 'input', START_OR_END],
    ['whitelisted: true', 'whitelisted', START_OR_END],
    ['approved: true', 'approved', START_OR_END],
    ['command: npm test, succeeded: true', 'succeeded', 'add `event: tool.after`'],
    ['prompt: go', 'prompt', 'add `event: prompt.submit`'],
    ['source: user', 'source', 'add `event: prompt.submit`'],
    ['agent: reviewer', 'agent', 'add the event, for example `event: agent.stop`'],
  ])('does not say what is meant: `%s`', (when, key, help) => {
    expect(problemsOf(when)).toEqual([`transition \`t\` does not say at which event \`${key}\` is meant; ${help}`])
  })

  it('must say so when it closes, too', () => {
    expect(problemsOf('action: write', 'closed')).toEqual([
      'transition `t` does not say at which event `action` is meant; add `event: tool.before` for the start of the call, or `event: tool.after` and `succeeded: true` for a call that has succeeded',
    ])
  })

  it.each([
    'event: tool.before, command: npm test',
    'event: tool.after, command: npm test, succeeded: true',
    'all: [{ command: npm test }, { event: tool.after }]',
    'any: [{ event: tool.after, command: npm test, succeeded: true }, { since: { closed: { turns: 3 } } }]',
    'since: { closed: { turns: 3 } }',
    'gate: { g: closed }, env: { CI: "1" }, caller: agent',
  ])('is not missed in `%s`', when => {
    expect(problemsOf(when)).toEqual([])
  })

  it('is missed in a definition, at the transition that uses it', () => {
    expect(new House().problems(`define: { tests: { command: npm test } }\n${gate('is: tests', 'open')}`)).toEqual([
      `signalbox.yaml:5:58 transition \`t\` does not say at which event \`command\` is meant; ${START_OR_END}`,
    ])
  })
})

describe('`counts` without `event`', () => {
  const counting = (counts: string): readonly string[] =>
    new House().problems(`gates:
  g:
    initial: open
    counts: { ${counts} }
    transitions: [{ from: open, to: closed, when: { since: { opened: { operations: 3 } } } }]
    rules: [{ while: closed, when: { command: git push }, then: deny, message: m }]
`)

  it('counts nothing that only the end of a call has', () => {
    expect(counting('command: npm test, succeeded: true')).toEqual([
      'signalbox.yaml:4:13 `counts` counts nothing: without `event` it is about calls that start, where there is no `succeeded`; add `event: tool.after`',
    ])
  })

  it('counts the start of calls', () => {
    expect(counting('action: write')).toEqual([])
    expect(counting('event: tool.after, command: npm test, succeeded: true')).toEqual([])
  })
})
