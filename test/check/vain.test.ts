import { describe, expect, it } from 'vitest'
import { clients } from '../../src/clients/index.ts'
import { proofOf, withPolicies } from './ground.ts'

const TESTED = '{ event: tool.after, command: npm test, succeeded: true }'
const REVIEWED = '{ event: agent.stop, agent: reviewer }'

const gate = (name: string, opens: string, suggest: string, more = '') => `  ${name}:
    initial: closed
    transitions:
      - { id: opens, from: closed, to: open, when: ${opens} }
    rules:
      - { id: r, while: closed, when: { command: git push }, then: deny, message: "Not yet: {suggest}", suggest: ${suggest}${more} }
`
const vainIn = (policy: string, ids?: readonly string[]) =>
  withPolicies((load, root) => {
    const on = ids ? { clients: clients.filter(one => ids.includes(one.id)) } : {}
    return proofOf(load(policy), root, on).findings.map(({ what, why, fix }) => [
      what,
      why,
      ...fix.map(one => `${one.at.replace(/^.*\//, '')} ${one.advice}`),
    ])
  })

describe('what a closed gate suggests opens it, or something before it', () => {
  const misled = (suggest: string, by: string, ...fix: readonly string[]) => [
    [
      `g/r suggests \`${suggest}\`, which opens nothing`,
      `following it leaves g closed, even when it succeeds; \`${by}\` opens it`,
      ...fix,
    ],
  ]
  it.each([
    ['another command', TESTED, 'npm run unit', 'npm run unit', 'npm test', 'suggest: npm test'],
    ['one whose success is not seen', TESTED, 'npm test | tail', 'npm test | tail', 'npm test', 'suggest: npm test'],
    [
      'an opener that is misspelt',
      '{ event: tool.after, command: npm tset, succeeded: true }',
      'npm test',
      'npm test',
      'npm tset',
      'suggest: npm tset',
    ],
    [
      'an agent that is misspelt',
      REVIEWED,
      '{ agent: revewer }',
      'spawns revewer',
      'reviewer stops',
      'suggest: { agent: reviewer }',
    ],
    ['a command for an agent', REVIEWED, 'npm test', 'npm test', 'reviewer stops', 'suggest: { agent: reviewer }'],
  ])('%s', (_, opens, suggest, words, by, paste) => {
    expect(vainIn(`gates:\n${gate('g', opens, suggest)}`, ['claude-code'])).toEqual(
      misled(words, by, `signalbox.yaml:7 \`${paste}\``, `signalbox.yaml:5 or let \`${words}\` open it`),
    )
  })

  it('on every client it is one story', () => {
    const [first, ...rest] = vainIn(`gates:\n${gate('g', TESTED, 'npm run unit')}`)
    expect([first?.[0], rest]).toEqual(['g/r suggests `npm run unit`, which opens nothing', []])
  })

  it.each([
    ['what opens it', gate('g', TESTED, 'npm test')],
    ['a part of a line', gate('g', TESTED, 'npm run build && npm test')],
    [
      'what comes before that',
      `${gate('g', TESTED, 'make plan')}${gate('plan', '{ event: tool.after, command: make plan }', 'make plan').replace('git push', 'npm test')}`,
    ],
    [
      'what the opener asks for',
      `${gate('g', '{ event: tool.after, command: npm test, gate: { plan: open } }', 'make plan')}${gate('plan', '{ event: tool.after, command: make plan }', 'make plan')}`,
    ],
    ['what is filled in', gate('g', TESTED, '"gh pr view {command}"')],
    [
      'another way, where the rule is for every state',
      gate('g', TESTED, 'gh pr view').replace('while: closed, when: { command: git push }', 'when: { command: curl }'),
    ],
    [
      'what a person opens',
      gate('g', TESTED, 'make plan')
        .replace('initial: closed', 'initial: closed\n    opens: human')
        .replace('Not yet', 'Ask the user'),
    ],
    ['an agent that may do it', gate('g', TESTED, '{ agent: tester }')],
    ['the one that has to do it', gate('g', `{ caller: tester, ${TESTED.slice(1)}`, '{ agent: tester }')],
    ['one of two agents', gate('g', REVIEWED, '{ agent: [Reviewer, other] }')],
    ['a tool', gate('g', TESTED, '{ tool: Read }')],
  ])('no word of %s', (_, policy) => {
    expect(vainIn(`gates:\n${policy}`, ['claude-code', 'gemini-cli'])).toEqual([])
  })
})
