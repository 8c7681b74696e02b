import { describe, expect, it } from 'vitest'
import { isProven, type VerificationResult } from '../../src/analysis/verify/index.ts'
import { clients } from '../../src/clients/index.ts'
import { proofOf, withPolicies } from './ground.ts'

/** Policies with which the proof was caught out. */
const proofs = (policy: string, ids: readonly string[] = ['claude-code']): VerificationResult =>
  withPolicies((load, root) => proofOf(load(policy), root, { clients: clients.filter(one => ids.includes(one.id)) }))
const found = ({ findings, inconclusive }: VerificationResult) => ({
  findings: findings.map(({ kind, gate, what }) => `${kind} ${gate?.replace(/^\w+\//, '') ?? what}`),
  inconclusive: inconclusive.map(({ kind, gate, what }) => `${kind} ${gate?.replace(/^\w+\//, '') ?? what}`),
})

describe('a transition happens at any event that is as it says', () => {
  it('it closes for ever what another gate waits for', () => {
    const proof = proofs(`
gates:
  fresh:
    initial: open
    transitions: [{ from: open, to: closed, when: { event: tool.before, action: write, path: package.json } }]
    rules: [{ while: open, when: { command: npm publish }, then: warn, message: Nothing was changed yet. }]
  verified:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true, gate: { fresh: open } } }
    rules: [{ while: closed, when: { event: turn.stop }, then: deny, message: Run npm test first. }]
`)
    expect(found(proof).findings).toContain('deadlock verified')
    expect(isProven(proof)).toBe(false)
  })

  it.each([
    ['a path', '{ event: tool.before, action: write, path: PLAN.md }'],
    ['a command', '{ event: tool.before, command: npm run lint }'],
    ['a page', '{ event: tool.before, url: "https://docs.acme.com/:page" }'],
    ['an agent', '{ event: tool.before, caller: reviewer, action: read }'],
    ['an agent at any event', '{ caller: reviewer }'],
  ])('it opens a gate: %s', (_, when) => {
    const proof = proofs(`
gates:
  plan:
    initial: closed
    transitions: [{ from: closed, to: open, when: ${when} }]
    rules: [{ while: closed, when: { command: git push }, then: deny, message: Not yet. }]
`)
    expect(found(proof)).toEqual({ findings: [], inconclusive: [] })
    expect(isProven(proof)).toBe(true)
  })

  it('a call that is refused opens nothing', () => {
    const proof = proofs(`
gates:
  lint:
    initial: closed
    transitions: [{ from: closed, to: open, when: { event: tool.before, command: npm run lint } }]
    rules: [{ while: closed, when: { action: run }, then: deny, message: Lint. }]
  other:
    rules: [{ when: { command: npm run lint }, then: deny, message: Not so. }]
`)
    expect(found(proof).findings).toContain('deadlock lint')
  })

  it('a prompt may be what it speaks of', () => {
    const proof = proofs(`
gates:
  calm:
    initial: open
    transitions: [{ from: open, to: closed, when: { event: prompt.submit, prompt: wait } }]
    rules: [{ while: closed, when: { event: turn.stop }, then: deny, message: Not yet. }]
`)
    expect(found(proof).findings).toContain('deadlock calm')
  })
})

describe('what was not looked at is not proven', () => {
  const tests = `
  tests:
    initial: closed
    transitions: [{ from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }]
    rules: [{ while: closed, when: { event: turn.stop }, then: deny, message: Test. }]
`
  it.each([
    [
      'a hook',
      `hooks: [{ event: tool.before, tool: Bash, run: "exit 2", onError: closed }]\ngates:${tests}`,
      /a hook of your own/,
    ],
  ])('%s', (_, policy, why) => {
    const proof = proofs(policy)
    expect(found(proof)).toEqual({ findings: [], inconclusive: [] })
    expect(proof.unchecked).toEqual([expect.stringMatching(why)])
    expect(isProven(proof)).toBe(false)
  })
})

describe('an event that takes no answer is heard all the same', () => {
  it("the end of a session closes what is the project's", () => {
    const policy = `
gates:
  left:
    scope: project
    initial: open
    transitions:
      - { from: open, to: closed, when: { event: session.end } }
      - { from: closed, to: open, when: { event: tool.after, command: make inspect } }
    rules: [{ while: closed, when: { action: run }, then: deny, message: Inspect first. }]
`
    const proof = proofs(policy)
    expect(found(proof).findings).toEqual(['deadlock left'])
    expect(proof.notes).toEqual([])
    expect(proofs(policy, ['cursor']).notes).toEqual([expect.stringContaining('never matches on cursor')])
  })

  it.each(['claude-code', 'codex-cli', 'copilot-cli', 'cursor', 'gemini-cli', 'qwen-code'])(
    'what %s is registered for is heard',
    async id => {
      const { REGISTERED_EVENTS } = await import(`../../src/clients/${id}/settings.ts`)
      const { eventKindOf } = await import(`../../src/clients/${id}/decode.ts`)
      const client = clients.find(one => one.id === id)
      const { capabilities, eventsWithoutReply = [] } = client ?? { capabilities: { events: {} } }
      const told: readonly string[] = REGISTERED_EVENTS.map(eventKindOf)
      expect(told.filter(kind => !(kind in capabilities.events)).sort()).toEqual([...eventsWithoutReply].sort())
    },
  )
})

describe('what is suggested to who wants to stop is let through there', () => {
  const policy = (rule: string, next = '') => `
gates:
  tests:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }
      - { from: open, to: closed, when: { event: tool.before, action: [write, delete] } }
    rules: [{ while: closed, when: { command: git commit }, then: deny, message: Test.${next} }]
  committed:
    initial: open
    transitions:
      - { from: open, to: closed, when: { event: tool.before, action: [write, delete] } }
      - { from: closed, to: open, when: { event: tool.after, command: git commit, succeeded: true } }
    rules: [{ id: r, while: closed, when: ${rule}, then: deny, message: "Commit first: {suggest}.", suggest: git commit -am x }]
`
  it.each([
    ['the end of a turn', '{ event: turn.stop }'],
    ['the stop of an agent', '{ event: agent.stop, agent: builder }'],
  ])('%s', (_, rule) => {
    expect(found(proofs(policy(rule))).findings).toEqual(['misleading committed'])
    // whoever refuses it says what comes first
    expect(found(proofs(policy(rule, ', suggest: npm test'))).findings).toEqual([])
  })
})

describe('a refusal after a call was let through', () => {
  it('the start of an agent, where it can be refused', () => {
    const policy = `
gates:
  rev:
    initial: closed
    transitions: [{ from: closed, to: open, when: { event: agent.stop, agent: reviewer } }]
    rules: [{ while: closed, when: { command: git push }, then: deny, message: Review. }]
  none:
    rules: [{ when: { event: agent.start, agent: reviewer }, then: deny, message: No reviewer. }]
`
    const [first] = proofs(policy, ['cursor']).findings
    expect(first?.what).toBe('rev can be closed with no way left to open it')
    expect(first?.why).toBe("rev needs `spawns reviewer`, and none's rule rule-1 refuses that")
    expect(found(proofs(policy, ['claude-code']))).toEqual({ findings: [], inconclusive: [] })
  })

  it('a request for permission, which may come or not', () => {
    const policy = `
gates:
  tested:
    initial: closed
    transitions: [{ from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }]
    rules:
      - { when: { event: permission.request, command: npm test }, then: deny, message: No. }
      - { while: closed, when: { command: git push }, then: deny, message: Test. }
`
    expect(found(proofs(policy))).toEqual({ findings: [], inconclusive: ['deadlock tested'] })
    expect(isProven(proofs(policy, ['gemini-cli']))).toBe(true)
  })
})

describe('a transition that can never match is told', () => {
  it.each([
    ['{ event: turn.stop, tool: Bash }', '`turn.stop` has no `tool`'],
    ['{ event: prompt.submit, path: src/ }', '`prompt.submit` has no `path`'],
    [
      '{ event: tool.before, all: [{ action: fetch }, { command: git commit }] }',
      'its conditions contradict each other',
    ],
    ['{ event: tool.before, prompt: x }', '`tool.before` has no `prompt`'],
  ])('%s', (when, why) => {
    const proof = proofs(`
gates:
  tests:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }
      - { id: t, from: open, to: closed, when: ${when} }
    rules: [{ while: closed, when: { command: git commit }, then: deny, message: Test. }]
`)
    expect(proof.findings.map(one => [one.what, one.why])).toEqual([['transition tests/t can never match', why]])
  })
})

describe('a rule that can never match is told with its line', () => {
  const policy = (when: string, more = '') => `
gates:
  g:
    rules:
      - { id: r, when: ${when}, then: deny${more}, message: No. }
`
  it.each([
    ['{ command: git push, tool: Read }', '`Read` runs no command'],
    ['{ command: git push, prompt: x }', '`tool.before` has no `prompt`'],
    ['{ event: tool.before, command: git push, succeeded: false }', '`tool.before` has no `succeeded`'],
    ['{ event: prompt.submit, command: git push }', '`prompt.submit` has no `command`'],
    ['{ event: [turn.stop, agent.stop], action: write }', '`agent.stop`, `turn.stop` have no `action`'],
  ])('%s', (when, why) => {
    const { findings, unchecked } = proofs(policy(when))
    expect(findings.map(one => [one.kind, one.why, one.fix[0]?.at])).toEqual([
      ['unreachable', why, expect.stringMatching(/signalbox\.yaml:5$/)],
    ])
    expect(unchecked).toEqual([])
  })

  it.each([
    ['what cannot be told may be what it is for', '{ command: git push, succeeded: false }', ', unsure: deny'],
    ['a tool that may be a shell', '{ command: git push, tool: [Read, mcp__x__run] }', ''],
  ])('not where it is not certain: %s', (_, when, more) => {
    const { findings, unchecked } = proofs(policy(when, more))
    expect(findings).toEqual([])
    expect(unchecked).toEqual([expect.stringMatching(/^no event could be generated for g\/r \(.*signalbox\.yaml:5\)$/)])
  })

  it.each(["pattern: 'wiki\\.acme'", 'url: "https://wiki.acme.com"'])(
    'a route for the page that an MCP tool opens: %s',
    page => {
      const proof = proofs(`routes: { nav: { tool: mcp__browser__navigate, ${page}, message: Use the wiki tool. } }`)
      expect([proof.findings, proof.unchecked, isProven(proof)]).toEqual([[], [], true])
    },
  )

  it('an event that a client does not have is a note', () => {
    const proof = proofs(policy('{ event: tool.failed }').replace('deny', 'warn'), ['codex-cli'])
    expect([proof.findings, isProven(proof)]).toEqual([[], true])
    expect(proof.notes).toEqual([
      expect.stringMatching(
        /^g\/r never matches on codex-cli: it does not send `tool\.failed` \(.*signalbox\.yaml:5\)$/,
      ),
    ])
  })
})

describe('what a client cannot do is told alike, with its line', () => {
  const policy = (rule: string) => `
gates:
  g:
    rules:
      - { id: r, ${rule}, message: No. }
`
  const AT = ' (~/signalbox.yaml:5)'
  it.each([
    [
      'a tool that no event tells of',
      'when: { tool: WebSearch }, then: deny',
      `g/r never matches on codex-cli: it does not send calls of \`WebSearch\`${AT}`,
    ],
    [
      'a question',
      'when: { command: git push }, then: ask',
      `\`then: ask\` denies on codex-cli, which cannot ask the user: g/r${AT}`,
    ],
  ])('%s', (_, rule, note) => {
    expect(proofs(policy(rule), ['codex-cli', 'claude-code']).notes).toEqual([note])
  })

  it('one tool of several is heard', () => {
    expect(proofs(policy('when: { tool: [WebSearch, Bash] }, then: deny'), ['codex-cli']).notes).toEqual([])
  })

  it('a refusal that is only told names the event as it was written', () => {
    const warnings = (when: string) =>
      withPolicies(load =>
        load(policy(`when: ${when}, then: deny`))
          .warnings.filter(({ client }) => client === 'codex-cli' || client === 'cursor' || client === 'copilot-cli')
          .map(({ message }) => message.replace(': the agent only gets the text', '')),
      )
    expect(warnings('{ event: tool.after, command: make, succeeded: false }')).toEqual([
      'rule `r` cannot deny `tool.after` of a call that failed on Copilot CLI',
      'rule `r` cannot deny `tool.after` on Cursor',
    ])
    expect(warnings('{ event: tool.failed, command: make }')).toContain(
      'rule `r` cannot deny `tool.failed` on Codex CLI',
    )
  })
})
