import { describe, expect, it } from 'vitest'
import { isProven } from '../../src/analysis/verify/index.ts'
import { played } from './played.ts'
import { found, proofs } from './policies.ts'

const lock = (closes: string, opens: string): string => `
gates:
  lock:
    initial: open
    transitions:
      - { id: begins, from: open, to: closed, when: { event: tool.before, ${closes} } }
      - { id: ends, from: closed, to: open, when: { event: tool.after, ${opens} } }
      - { id: later, from: closed, to: open, when: { since: { closed: { seconds: 1800 } } } }
    rules: [{ id: r, while: closed, when: { event: tool.before, command: git push }, then: deny, message: Not while it is deployed. }]
`
const DEPLOY = { shell: 'deploy' }
const PUSH = { shell: 'git push' }

describe('a transition that never happens, beside one that does', () => {
  it.each([
    ['the end of what closes it', lock('command: deploy', 'command: deploy')],
    ['its success', lock('command: deploy', 'command: deploy, succeeded: true')],
    ['the end of one kind of it', lock('command: deploy', 'command: deploy --fast')],
    ['the end of any command', lock('action: run', 'command: deploy')],
  ])('%s', async (_, policy) => {
    expect((await played(policy, [DEPLOY, { shell: 'deploy --fast' }, PUSH])).at(-1)).toBe('deny')
    const { findings } = proofs(policy)
    expect(findings.map(({ kind, what }) => `${kind} ${what}`)).toEqual([
      'unreachable transition lock/ends can never match',
    ])
    expect(findings[0]?.why).toContain('a call that closes a gate cannot open it')
  })

  it.each([
    ['another call opens it', lock('command: deploy', 'command: deploy-done')],
    ['one kind of it closes it', lock('command: deploy --slow', 'command: deploy')],
    [
      'what closes it depends on another gate',
      `${lock('command: deploy, gate: { day: open }', 'command: deploy')}
  day:
    initial: open
    transitions: [{ from: open, to: closed, when: { event: tool.before, command: night } }, { from: closed, to: open, when: { event: tool.before, command: morning } }]
`,
    ],
  ])('is none where %s', (_, policy) => {
    expect(found(proofs(policy))).toEqual({ findings: [], inconclusive: [] })
    expect(isProven(proofs(policy))).toBe(true)
  })
})

const switched = (refused: string, more = ''): string => `
gates:
  busy:
    initial: closed
    ${more}
    transitions:
      - { id: begins, from: closed, to: open, when: { event: tool.before, command: make begin } }
      - { id: ends, from: open, to: closed, when: { event: tool.before, command: make end } }
    rules: [{ id: r, while: open, when: { event: tool.before, ${refused} }, then: deny, message: Not while it is busy. }]
`

describe('a transition to closed that the gate’s own rules refuse', () => {
  it('is said', async () => {
    const policy = switched('command: [git push, make end]')
    const steps = [{ shell: 'make begin' }, { shell: 'make end' }, { shell: 'git push' }, { shell: 'make end' }]
    expect(await played(policy, steps)).toEqual(['pass', 'deny', 'deny', 'deny'])
    const { findings } = proofs(policy)
    expect(findings.map(({ kind, what }) => `${kind} ${what}`)).toEqual([
      'unreachable transition busy/ends can never match',
    ])
    expect(findings[0]?.why).toBe('its own rule r refuses `make end` while busy is open')
  })

  it.each([
    ['they refuse another call', switched('command: git push')],
    ['they refuse one kind of it', switched('command: [git push, make end --fast]')],
    [
      'the end of a call closes it, which may have begun before it was open',
      switched('command: [git push, make end]').replace(
        'tool.before, command: make end',
        'tool.after, command: make end',
      ),
    ],
    ['they refuse nothing', switched('command: [git push, make end]', 'mode: warn')],
    ['an agent may make it', switched('command: [git push, make end], caller: agent')],
  ])('is not said where %s', (_, policy) => {
    expect(found(proofs(policy))).toEqual({ findings: [], inconclusive: [] })
  })
})
