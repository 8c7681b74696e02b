import { describe, expect, it } from 'vitest'
import { isProven } from '../../src/analysis/verify/index.ts'
import { type Played, played } from './played.ts'
import { found, proofs } from './policies.ts'

/** Nothing is deployed before this has happened. */
const opensBy = (when: string, more = ''): string => `
gates:
  g:
    initial: closed
    transitions: [{ from: closed, to: open, when: { event: tool.after, ${when} } }]
    rules: [{ id: r, while: closed, when: { event: tool.before, command: deploy }, then: deny, message: Not yet. }]
${more}`

const DEPLOY = { shell: 'deploy' } as const
const TESTS: readonly Played[] = [
  ...(['well', 'badly', 'in the background'] as const).map(ends => ({ shell: 'npm test', ends })),
  { shell: 'npm test | tail' },
  { shell: 'npm test &' },
]

describe('an end that never comes', () => {
  it.each([
    ['of a command', opensBy('command: npm test, succeeded: unknown'), TESTS],
    ['of one of several', opensBy('command: [npm test, make test], succeeded: unknown'), TESTS],
    ['of a write', opensBy('action: write, path: PLAN.md, succeeded: unknown'), [{ write: 'PLAN.md' }]],
    ['of a read', opensBy('action: read, path: PLAN.md, succeeded: unknown'), [{ read: 'PLAN.md' }]],
  ])('%s is no way out where a client says how calls end', async (_, policy, steps) => {
    const said = await played(policy, [...steps, DEPLOY])
    expect(said.at(-1)).toBe('deny')
    expect(found(proofs(policy)).findings).toEqual(['deadlock g'])
    expect(proofs(policy).findings[0]?.why).toContain('only if its result is unknown')
  })

  it.each([
    ['it is one of two ends', opensBy('command: npm test, succeeded: [true, unknown]'), 'claude-code'],
    ['nobody says how a command ended', opensBy('command: npm test, succeeded: unknown'), 'codex-cli'],
    ['any end will do', opensBy('command: npm test'), 'claude-code'],
    ['an agent goes on in the background', opensBy('agent: reviewer, succeeded: unknown'), 'claude-code'],
  ])('it is one where %s', (_, policy, client) => {
    expect(isProven(proofs(policy, [client]))).toBe(true)
  })
})

const approved = opensBy('command: release, approved: true')
const no = (when: string, more = ''): string =>
  `  no:\n    rules: [{ when: { event: tool.before, ${when} }, ${more}then: deny, message: No. }]\n`

describe('an approval that nobody may ask for', () => {
  it.each([
    ['its command is refused', `${approved}${no('command: signalbox orchestrate')}`],
    ['every command of signalbox is', `${approved}${no('command: signalbox')}`],
    ['every command is', `${approved}${no('action: run', 'unless: { command: [deploy, release] }, ')}`],
    [
      'the gate itself refuses it',
      opensBy('command: release, approved: true').replace('command: deploy', 'command: [deploy, signalbox]'),
    ],
  ])('%s', async (_, policy) => {
    const order = { shell: 'signalbox orchestrate "release it"' }
    expect(await played(policy, [{ shell: 'release' }, order, DEPLOY])).toEqual(['pass', 'deny', 'deny'])
    expect(found(proofs(policy)).findings).toEqual(['deadlock g'])
    expect(proofs(policy).findings[0]?.why).toContain('g needs `signalbox orchestrate some-task`')
  })

  it.each([
    ['it may be asked for', approved],
    ['another command of signalbox is refused', `${approved}${no('command: signalbox uninstall')}`],
    [
      'commands are refused, and that one is exempt',
      `${approved}${no('action: run', 'unless: { command: [deploy, release, signalbox orchestrate] }, ')}`,
    ],
    [
      'another call opens it too',
      opensBy(
        'any: [{ command: release, approved: true }, { command: npm test }]',
        no('command: signalbox orchestrate'),
      ),
    ],
  ])('is a way out where %s', (_, policy) => {
    expect(isProven(proofs(policy))).toBe(true)
  })
})
