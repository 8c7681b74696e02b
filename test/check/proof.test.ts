import { describe, expect, it } from 'vitest'
import {
  describeStep,
  isProven,
  type VerificationFinding,
  type VerificationResult,
} from '../../src/analysis/verify/index.ts'
import { clients } from '../../src/clients/index.ts'
import { proofOf, withPolicies } from './ground.ts'

const proofs = (gates: unknown, more: Parameters<typeof proofOf>[2] = {}): VerificationResult =>
  withPolicies((load, root) => proofOf(load({ gates }), root, more))
const found = (proof: VerificationResult) => proof.findings.map(({ kind, what }) => `${kind}: ${what}`)
const told = ({ counterexample }: VerificationFinding): readonly string[] =>
  counterexample.map(line => describeStep(line.step))
const only = (...ids: string[]) => ({ clients: clients.filter(one => ids.includes(one.id)) })

const dirty = { id: 'dirty', from: 'open', to: 'closed', when: { event: 'tool.before', action: 'write' } }
const green = {
  id: 'green',
  from: 'closed',
  to: 'open',
  when: { event: 'tool.after', command: 'npm test', succeeded: true },
}
const deny = (id: string, when: object, more: object = {}) => ({
  ...{ id, while: 'closed', when: { event: 'tool.before', ...when }, then: 'deny', message: 'Not now.' },
  ...more,
})

describe('a policy that lets agents go on', () => {
  it('is proven: tests before a commit, on every client', () => {
    const tests = {
      initial: 'open',
      transitions: [dirty, green],
      rules: [deny('commit', { command: 'git commit' }, { suggest: 'npm test' })],
    }
    const proof = proofs({ tests })
    expect(found(proof)).toEqual([])
    expect(isProven(proof)).toBe(true)
    expect(proof.states).toBeGreaterThan(2)
  })

  it('may count: a review after fifty operations', () => {
    const review = {
      initial: 'open',
      transitions: [
        { id: 'due', from: 'open', to: 'closed', when: { since: { opened: { operations: 50 } } } },
        { id: 'done', from: 'closed', to: 'open', when: { event: 'agent.stop', agent: 'reviewer' } },
      ],
      rules: [
        deny(
          'review',
          { action: ['write', 'run'] },
          { unless: { caller: 'reviewer' }, suggest: { agent: 'reviewer' } },
        ),
      ],
    }
    expect(isProven(proofs({ review }))).toBe(true)
  })

  it('may wait for the clock', () => {
    const pause = {
      initial: 'closed',
      transitions: [{ id: 'over', from: 'closed', to: 'open', when: { since: { closed: { seconds: 600 } } } }],
      rules: [deny('wait', { action: 'run' })],
    }
    expect(isProven(proofs({ pause }))).toBe(true)
  })

  it('may hold a stop that can be satisfied, or once', () => {
    const note = {
      initial: 'closed',
      transitions: [
        {
          id: 'written',
          from: 'closed',
          to: 'open',
          when: { event: 'tool.before', action: 'write', path: 'HANDOVER.md' },
        },
      ],
      rules: [{ id: 'note', while: 'closed', when: { event: 'turn.stop' }, then: 'deny', message: 'Write it.' }],
    }
    const once = { rules: [{ id: 'once', when: { event: 'turn.stop' }, then: 'deny', message: 'Sure?', limit: 1 }] }
    expect(found(proofs({ note }))).toEqual([])
    expect(found(proofs({ once: { initial: 'open', ...once } }))).toEqual([])
  })
})

describe('a policy that locks them up', () => {
  it('a gate refuses what opens it: the shortest story, and the line to change', () => {
    const proof = proofs(
      { tests: { initial: 'open', transitions: [dirty, green], rules: [deny('runs', { action: 'run' })] } },
      only('claude-code'),
    )
    const [first] = proof.findings
    expect(found(proof)).toEqual(['deadlock: tests can be closed with no way left to open it'])
    expect(first && told(first)).toEqual(['writes some.txt', 'npm test'])
    expect(first?.why).toBe('tests needs `npm test`, and its own rule runs refuses that')
    expect(first?.fix[0]?.at).toMatch(/signalbox\.yaml:\d+$/)
  })

  it('two gates wait for each other', () => {
    const gate = (opener: string, refuses: string, closer: string) => ({
      initial: 'open',
      transitions: [
        { id: 'closes', from: 'open', to: 'closed', when: { event: 'tool.before', command: closer } },
        { id: 'opens', from: 'closed', to: 'open', when: { event: 'tool.after', command: opener, succeeded: true } },
      ],
      rules: [deny('first', { command: refuses })],
    })
    const proof = proofs({ one: gate('alpha', 'beta', 'x'), two: gate('beta', 'alpha', 'y') }, only('claude-code'))
    expect(found(proof).map(line => line.split(' can ')[0])).toEqual(['deadlock: one', 'deadlock: two'])
    const [first] = proof.findings
    expect(first && told(first).slice(0, 2).sort()).toEqual(['x', 'y'])
    expect(first?.why).toContain('one needs `alpha`, and two')
    expect(first?.why).toContain('two needs `beta`, and one')
  })

  it('nothing opens it, or nothing on this client does', () => {
    const when = { event: 'permission.request', command: 'make' }
    const gate = {
      initial: 'closed',
      transitions: [{ id: 'o', from: 'closed', to: 'open', when }],
      rules: [deny('no', { command: 'rm' })],
    }
    const [first] = proofs({ gate }, only('claude-code', 'gemini-cli')).findings
    expect(first?.clients).toEqual(['gemini-cli'])
    expect(first?.why).toBe('nothing an agent does opens gate')
  })

  it("a prompt is a person's: what only that opens has to say `opens: human`, and its message too", () => {
    const gate = (message: string, opens: object) => ({
      ...{ initial: 'closed', ...opens },
      transitions: [{ id: 'o', from: 'closed', to: 'open', when: { event: 'prompt.submit', prompt: 'go on' } }],
      rules: [deny('no', { action: 'run' }, { message })],
    })
    expect(found(proofs({ gate: gate('No.', {}) }))).toEqual([
      'deadlock: gate can be closed with no way left to open it',
    ])
    expect(found(proofs({ gate: gate('No.', { opens: 'human' }) }))).toEqual([
      'no-guidance: only a person opens gate, and the message of its rule no does not say so',
    ])
    expect(found(proofs({ gate: gate('Ask the user to say "go on".', { opens: 'human' }) }))).toEqual([])
  })

  it('a turn that cannot end', () => {
    const rules = [{ id: 'never', when: { event: 'turn.stop' }, then: 'deny', message: 'Go on.' }]
    expect(found(proofs({ on: { rules } }))).toEqual(['cannot-end: a turn can reach a state in which it cannot end'])
  })
})

describe('what else is found', () => {
  it('a suggestion that is refused where it is made', () => {
    const proof = proofs({
      pushes: {
        rules: [
          {
            id: 'push',
            when: { command: 'git push' },
            then: 'deny',
            message: 'Use {suggest}.',
            suggest: 'gh pr create',
          },
        ],
      },
      gh: { rules: [{ id: 'gh', when: { command: 'gh' }, then: 'deny', message: 'No gh.' }] },
    })
    expect(found(proof)).toEqual(['misleading: pushes/push suggests `gh pr create`, which is refused'])
    expect(proof.findings[0]?.why).toBe('gh/gh refuses it in the state in which it is suggested')
  })

  it.each([
    ['tool.after', { succeeded: true }, 'claude-code'],
    ['tool.failed', {}, 'claude-code'],
    ['permission.request', {}, 'claude-code'],
  ])('a suggestion that is made at %s', (event, more, client) => {
    const lint = {
      rules: [
        {
          id: 'fix',
          when: { event, command: 'make', ...more },
          then: 'warn',
          message: 'Mend it.',
          suggest: 'npm run fix',
        },
      ],
    }
    const no = { rules: [{ id: 'no', when: { command: 'npm run fix' }, then: 'deny', message: 'Never.' }] }
    const proof = proofs({ lint, no }, only(client))
    expect(found(proof)).toEqual(['misleading: lint/fix suggests `npm run fix`, which is refused'])
    expect(found(proofs({ lint }, only(client)))).toEqual([])
  })

  it('a suggestion that has to wait is fine where the same answer says for what', () => {
    const boundary = {
      rules: [
        {
          id: 'edits',
          when: { action: 'write', caller: 'main' },
          then: 'deny',
          message: 'Use {suggest}.',
          suggest: { agent: 'builder' },
        },
      ],
    }
    const routed = {
      initial: 'closed',
      transitions: [
        { id: 'o', from: 'closed', to: 'open', when: { event: 'tool.before', action: 'spawn', agent: 'router' } },
      ],
      rules: [deny('first', {}, { unless: { agent: 'router' }, suggest: { agent: 'router' } })],
    }
    expect(found(proofs({ boundary, routed }))).toEqual([])
  })

  it('rules that never speak, or never make a difference', () => {
    const proof = proofs({
      one: {
        rules: [
          { id: 'exempt', when: { command: 'git push' }, unless: { command: 'git' }, then: 'deny', message: 'm' },
          { id: 'odd', when: { action: 'read', event: 'tool.before', agent: 'x' }, then: 'deny', message: 'm' },
          { id: 'all', when: { action: 'run' }, then: 'deny', message: 'm' },
          { id: 'some', when: { command: 'make' }, then: 'ask', message: 'm' },
        ],
      },
    })
    expect(found(proof)).toEqual([
      'unreachable: rule one/exempt can never match',
      'unreachable: rule one/odd can never match',
      'shadowed: rule one/some never makes a difference',
    ])
  })

  it('a gate on trial stops nobody; what it will do when it blocks is a note', () => {
    const gate = {
      mode: 'observe',
      initial: 'open',
      transitions: [dirty, green],
      rules: [deny('runs', { action: 'run' })],
    }
    const proof = proofs({ gate }, only('claude-code'))
    expect(found(proof)).toEqual([])
    expect(proof.notes).toEqual([
      'once every gate blocks, gate can be closed with no way left to open it: gate needs `npm test`, and its own rule runs refuses that',
    ])
  })

  it('where the space is cut it says how far it looked, and is no proof', () => {
    // what depends on a count has no way that holds everywhere
    const late = { ...green, when: { ...green.when, since: { closed: { operations: 1 } } } }
    const gate = { initial: 'open', transitions: [dirty, late], rules: [deny('commit', { command: 'git commit' })] }
    const proof = proofs({ gate }, { bounds: { states: 1 } })
    expect(proof).toMatchObject({ complete: false, withinSteps: 1, findings: [] })
    expect(isProven(proof)).toBe(false)
  })
})

describe('what is suggested', () => {
  it('is tried for every call it is made of, also where the rule cannot tell these apart', () => {
    const reads = { event: 'tool.before', action: 'read', path: ['src/', 'docs/'] }
    const change = { id: 'change', when: reads, then: 'deny', message: 'Change it.' }
    const gates = {
      change: { rules: [{ ...change, suggest: { tool: 'Edit', path: '{path}' } }] },
      docs: {
        rules: [
          { id: 'docs', when: { event: 'tool.before', action: 'write', path: 'docs/' }, then: 'deny', message: 'No.' },
        ],
      },
    }
    expect(found(proofs(gates))).toEqual([
      expect.stringMatching(/^misleading: change\/change suggests .*docs\/.*, which is refused$/),
    ])
  })
})

describe('twenty gates', () => {
  const gate = (nth: number, more: object = {}) => ({
    initial: 'open',
    transitions: [dirty, { ...green, when: { event: 'tool.after', command: `check-${nth}`, succeeded: true } }],
    rules: [deny('commit', { command: 'git commit' }, { suggest: `check-${nth}`, ...more })],
  })

  it('that wait for each other in a row are proven', () => {
    const step = (nth: number) => ({
      initial: 'open',
      transitions: [dirty, { ...green, when: { event: 'tool.after', command: `step-${nth}`, succeeded: true } }],
      rules: [deny('next', { command: `step-${nth + 1}` })],
    })
    const gates = Object.fromEntries(Array.from({ length: 20 }, (_, nth) => [`g${nth}`, step(nth)]))
    expect(isProven(proofs(gates, only('claude-code')))).toBe(true)
  })

  it('are proven within two seconds of work', () => {
    const gates = Object.fromEntries(Array.from({ length: 20 }, (_, nth) => [`g${nth}`, gate(nth)]))
    withPolicies((load, root) => {
      const policy = load({ gates })
      const began = process.cpuUsage()
      const proof = proofOf(policy, root)
      const { user, system } = process.cpuUsage(began)
      expect(found(proof)).toEqual([])
      expect(isProven(proof)).toBe(true)
      expect((user + system) / 1e6).toBeLessThan(2)
    })
  })
})
