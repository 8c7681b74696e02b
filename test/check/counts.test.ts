import { describe, expect, it } from 'vitest'
import { isProven } from '../../src/analysis/verify/index.ts'
import { clients } from '../../src/clients/index.ts'
import { found, proofs } from './policies.ts'

const everybody = clients.map(one => one.id)

/** A gate that this many green runs open, and what it refuses besides. */
const green = (many: number, more = ''): string => `
gates:
  green:
    initial: closed
    counts: { event: tool.after, command: npm test, succeeded: true }
    transitions: [{ from: closed, to: open, when: { since: { closed: { operations: ${many} } } } }]
    rules:
      - { id: r, while: closed, when: { command: git push }, then: deny, message: Not yet. }
${more}`

/** So many writes close it, and this opens it. */
const budget = (counts: string, refused: string): string => `
gates:
  budget:
    initial: open
    counts: ${counts}
    transitions:
      - { id: c, from: open, to: closed, when: { since: { opened: { operations: 20 } } } }
      - { id: o, from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }
    rules: [{ id: r, while: closed, when: { event: tool.before, action: ${refused} }, then: deny, message: Test first. }]
`
const WRITES = '{ event: tool.before, action: write }'

describe('what a gate counts is played', () => {
  it.each([
    ['three green runs open it', green(3)],
    ['so do fifty, though after some of them something else is refused', green(50, refusing('git commit', 10))],
    ['so many writes close it, and tests open it', budget(WRITES, 'write')],
    ['so many ends of turns do', budget('{ event: turn.stop }', 'write')],
    ['a call that is counted at its beginning and at its end', budget('{ command: make }', 'write')],
  ])('%s', (_, policy) => {
    const proof = proofs(policy, everybody)
    expect(found(proof)).toEqual({ findings: [], inconclusive: [] })
    expect(isProven(proof)).toBe(true)
  })

  it.each([
    ['what is counted is refused', green(3, refusing('npm test', 0))],
    ['the last of them is refused', green(50, refusing('npm test', 49))],
  ])('%s', (_, policy) => {
    expect(found(proofs(policy)).findings).toEqual(['deadlock green'])
  })

  it('and it is told what is not counted often enough', () => {
    expect(proofs(green(50, refusing('npm test', 49))).findings.map(one => one.why)).toEqual([
      'green opens once it has counted `npm test` often enough, and it refuses that first',
    ])
  })

  it('a limit is reached, and what would reset it is refused', () => {
    expect(found(proofs(budget(WRITES, '[write, run]'))).findings).toEqual(['deadlock budget'])
  })

  it('but is never reached where nothing of it can be done', () => {
    const policy = `${budget('{ event: tool.before, command: make }', '[write, run]')}
  never:
    rules: [{ id: n, when: { command: make }, then: deny, message: Never. }]
`
    expect(found(proofs(policy)).findings.filter(one => one.startsWith('deadlock'))).toEqual([])
  })

  it('nor where it is refused long before, though it is counted by twos', () => {
    const policy = `
gates:
  worn:
    initial: open
    counts: { command: make }
    transitions: [{ id: c, from: open, to: closed, when: { since: { opened: { operations: 10 } } } }]
    rules: [{ id: s, while: open, when: { command: make, since: { opened: { operations: 3 } } }, then: deny, message: Enough. }]
`
    expect(found(proofs(policy)).findings.filter(one => one.startsWith('deadlock'))).toEqual([])
  })

  it('prompts tire a gate, and with it what waits for that', () => {
    const policy = `
gates:
  tired:
    initial: open
    counts: { event: prompt.submit }
    transitions: [{ from: open, to: closed, when: { since: { opened: { operations: 3 } } } }]
  tests:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true, gate: { tired: open } } }
    rules: [{ while: closed, when: { command: git push }, then: deny, message: Run npm test. }]
`
    expect(found(proofs(policy)).findings).toEqual(['deadlock tired', 'deadlock tests'])
  })
})

function refusing(command: string, after: number): string {
  const since = after === 0 ? '' : `, since: { closed: { operations: ${after} } }`
  return `      - { id: s, while: closed, when: { command: ${command}${since} }, then: deny, message: Enough. }\n`
}
