import { describe, expect, it } from 'vitest'
import { isProven } from '../../src/analysis/verify/index.ts'
import { played } from './played.ts'
import { found, proofs } from './policies.ts'

const opensBy = (when: string, more = ''): string => `
gates:
  g:
    initial: closed
    opens: human
    ${more}
    transitions: [{ from: closed, to: open, when: { ${when} } }]
    rules: [{ id: r, while: closed, when: { event: tool.before, command: deploy }, then: deny, message: Ask the user to open it. }]
`

const SAID = ['yes', 'no', 'yes no', 'go ahead'].map(prompt => ({ prompt }))

describe('a gate for people that no person can open', () => {
  it.each([
    [
      'a prompt is to be two texts',
      'event: prompt.submit, all: [{ prompt: { regex: "^yes$" } }, { prompt: { regex: "^no$" } }]',
    ],
    [
      'a prompt is to be a text, and not to have it',
      'event: prompt.submit, prompt: { regex: "^yes$" }, not: { prompt: { regex: "yes" } }',
    ],
    ['an agent is to write it', 'event: prompt.submit, source: agent'],
    ['the client is to write it', 'event: prompt.submit, source: system, prompt: "yes"'],
    ['an agent or the client is to write it', 'event: prompt.submit, source: [agent, system]'],
  ])('%s', async (_, when) => {
    const policy = opensBy(when)
    expect(await played(policy, [...SAID, { shell: 'deploy' }])).toEqual(['pass', 'pass', 'pass', 'pass', 'deny'])
    const proof = proofs(policy)
    expect(found(proof).findings).toEqual(['no-guidance g'])
    expect(proof.findings[0]?.what).toBe('only a person opens g, and nothing a person does opens it')
  })

  it.each([
    [
      'nobody may spawn who opens it',
      opensBy('event: agent.stop, agent: approver').concat(
        '  no: { rules: [{ when: { event: tool.before, agent: approver }, then: deny, message: No. }] }\n',
      ),
      [{ spawn: 'approver' }],
    ],
    [
      'its own rule refuses the command whose end opens it',
      opensBy('event: tool.after, command: approve').replace('command: deploy', 'command: [deploy, approve]'),
      [{ shell: 'approve' }],
    ],
  ])('%s', async (_, policy, steps) => {
    expect(await played(policy, [...steps, { shell: 'deploy' }])).toEqual(['deny', 'deny'])
    const proof = proofs(policy)
    expect(found(proof).findings).toEqual(['no-guidance g'])
    expect(proof.findings[0]?.why).toContain('is refused whenever it is closed')
  })

  it('of a subagent, to which no prompt goes', () => {
    const policy = opensBy('event: prompt.submit, source: user, prompt: "go"', 'scope: agent')
    const { findings } = proofs(policy)
    expect(findings.map(({ what }) => what)).toEqual([
      'only a person opens g, and nothing a person does opens it for a subagent',
    ])
    expect(found(proofs(policy.replace('scope: agent', 'scope: session'))).findings).toEqual([])
    expect(found(proofs(policy.replace('command: deploy }', 'command: deploy, caller: main }'))).findings).toEqual([])
    const withOwnWay = policy.replace(
      'transitions: [',
      'transitions: [{ from: closed, to: open, when: { event: tool.before, command: ask } }, ',
    )
    expect(found(proofs(withOwnWay)).findings).toEqual([])
  })

  it('a source that a client does not have', () => {
    const { findings } = proofs(opensBy('event: prompt.submit, source: command'), ['claude-code', 'codex-cli'])
    expect(findings.map(({ kind, clients }) => [kind, clients])).toEqual([['no-guidance', ['codex-cli']]])
  })

  it.each([
    ['a word', opensBy('event: prompt.submit, source: user, prompt: "ship it"')],
    ['a command', opensBy('event: prompt.submit, source: command')],
    [
      'two patterns that meet',
      opensBy('event: prompt.submit, all: [{ prompt: { regex: "^yes" } }, { prompt: { regex: "please$" } }]'),
    ],
    ['a call that a person is asked about', opensBy('event: tool.after, tool: AskUserQuestion')],
    ['the start of a session', opensBy('event: session.start')],
    [
      'a command that its rule would refuse, but not where that opens it',
      opensBy('event: tool.before, command: approve').replace('command: deploy', 'command: [deploy, approve]'),
    ],
    ['another turn', opensBy('since: { closed: { turns: 1 } }')],
  ])('is none where %s opens it', (_, policy) => {
    expect(isProven(proofs(policy))).toBe(true)
  })
})
