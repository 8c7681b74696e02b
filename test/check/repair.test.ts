import { describe, expect, it } from 'vitest'
import { isProven } from '../../src/analysis/verify/index.ts'
import { type Played, played } from './played.ts'
import { found, proofs } from './policies.ts'

const gate = (name: string, closes: string, opens: string, refuses: string, more = ''): string => `  ${name}:
    initial: open
    transitions:
      - { from: open, to: closed, when: { ${closes} } }
      - { from: closed, to: open, when: { event: tool.after, ${opens} } }
    rules: [{ id: r, while: closed, when: { event: tool.before, ${refuses} }, ${more}then: deny, message: Not yet. }]
`
const FAILS = 'event: [tool.after, tool.failed], command: npm test, succeeded: false'
const PASSES = 'command: npm test, succeeded: true'
const EDITS = 'event: tool.before, action: write'
const WRITES = 'action: [write, delete]'
const COMMIT = gate('commit', 'since: { opened: { operations: 2 } }', 'command: git commit, succeeded: true', WRITES)
const RED = { shell: 'npm test', ends: 'badly' } as const
const EDIT = { write: 'src/a.ts' } as const

describe('a success that needs what is refused', () => {
  it.each([
    [
      'tests are red: no edit until they are green',
      `gates:\n${gate('red', FAILS, PASSES, WRITES)}`,
      [RED, EDIT, RED, EDIT],
    ],
    [
      'one edit, then tests',
      `gates:\n${gate('each', EDITS.replace('before', 'after'), PASSES, WRITES)}`,
      [EDIT, RED, EDIT, RED, EDIT],
    ],
    [
      'tests every few calls',
      `gates:\n${gate('often', 'since: { opened: { operations: 2 } }', PASSES, WRITES)}`,
      [EDIT, RED, { shell: 'ls' }, RED, EDIT],
    ],
    [
      'a commit every few calls, and tests before a commit',
      `gates:\n${COMMIT}${gate('tested', EDITS, PASSES, 'command: git commit')}`,
      [EDIT, RED, { shell: 'git commit -m x' }, EDIT],
    ],
    [
      'every call but the tests',
      `gates:\n${gate('red', FAILS, PASSES, 'action: [write, delete, run, spawn]', 'unless: { command: [npm test, signalbox run] }, ')}`,
      [RED, EDIT, RED, EDIT],
    ],
  ] as readonly (readonly [string, string, readonly Played[]])[])('%s: there is a note', async (_, policy, steps) => {
    expect((await played(policy, steps)).at(-1)).toBe('deny')
    const { notes } = proofs(policy)
    expect(notes.join()).toContain('refuses every write until `npm test` succeeds')
    expect(notes.join()).toContain('git commit')
  })

  it.each([
    ['commits are refused, and no edits', `gates:\n${gate('red', FAILS, PASSES, 'command: git commit')}`],
    ['some edits are let through', `gates:\n${gate('red', FAILS, PASSES, WRITES, 'unless: { path: tests/ }, ')}`],
    ['one folder is not to be changed', `gates:\n${gate('red', FAILS, PASSES, 'action: write, path: migrations/')}`],
    ['a commit every few calls', `gates:\n${COMMIT}`],
    ['it refuses so many times only', `gates:\n${gate('red', FAILS, PASSES, WRITES, 'limit: 3, ')}`],
    ['the end of the tests is enough', `gates:\n${gate('red', FAILS, 'command: npm run report', WRITES)}`],
    [
      'it is only to be done once',
      `gates:\n${gate('setup', FAILS, 'command: npm ci, succeeded: true', WRITES)
        .replace(/ +- \{ from: open.*\n/, '')
        .replace('initial: open', 'initial: closed')}`,
    ],
  ])('is not said where %s', (_, policy) => {
    const proof = proofs(policy)
    expect(found(proof)).toEqual({ findings: [], inconclusive: [] })
    expect(proof.notes).toEqual([])
    expect(isProven(proof)).toBe(true)
  })
})
