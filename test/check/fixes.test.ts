import { describe, expect, it } from 'vitest'
import { deduplicateFindings, FixSearch, type VerificationFinding } from '../../src/analysis/verify/index.ts'
import { clients } from '../../src/clients/index.ts'
import { inputOf, proofOf, withPolicies } from './ground.ts'

const only = { clients: clients.filter(one => one.id === 'claude-code') }

/** As `check` tells of it: why, and each place with its advice. */
const told = (policy: string, on: { clients?: typeof clients } = only): readonly (readonly string[])[] =>
  withPolicies((load, root) => {
    const loaded = load(policy)
    const mending = new FixSearch(inputOf(loaded, root, on), proofOf(loaded, root, on).findings)
    return deduplicateFindings(proofOf(loaded, root, on).findings)
      .map(one => mending.verifyFixes(one))
      .map(({ kind, why, fix }: VerificationFinding) => [
        kind,
        why,
        ...fix.map(one => `${one.at.replace(/^.*\//, '')} ${one.advice}`),
      ])
  })

const gate = (name: string, opens: string, refuses: string, more = '') => `  ${name}:
    initial: closed
    transitions:
      - { from: closed, to: open, when: ${opens} }
${more}    rules:
      - { id: r, while: closed, when: ${refuses}, then: deny, message: no }
`
const PUSH = '{ command: git push }'
const closes = (when: string) => `      - { from: open, to: closed, when: ${when} }\n`

describe('why there is no way, and what to change', () => {
  it.each([
    [
      'what guards Signalbox is not the reader’s to change: the opener is',
      `gates:\n${gate('hooks', '{ event: tool.after, action: write, path: .claude/settings.json }', PUSH)}`,
      [
        [
          'deadlock',
          "hooks needs `writes .claude/settings.json`, and self-protection's rule registration refuses that",
          'signalbox.yaml:5 open it with something self-protection lets through, or say `opens: human`, and in its message that the user opens it',
        ],
      ],
    ],
    [
      'a rule of a pack: it stays, and the gate is opened by something else',
      `use: [orchestrator-boundary]\ngates:\n${gate('plan', '{ event: tool.after, caller: main, action: write, path: PLAN.md }', PUSH)}`,
      [
        [
          'deadlock',
          "plan needs `writes PLAN.md`, and orchestrator-boundary's rule main-edits refuses that",
          'signalbox.yaml:6 open it with something orchestrator-boundary lets through, or say `opens: human`, and in its message that the user opens it',
        ],
      ],
    ],
    [
      'a gate of a pack: the reader’s own rules, not those of the pack',
      `use: [router-first]
gates:
  no-sub: { rules: [ { id: r, when: { action: spawn }, then: deny, message: no } ] }
  no-sb: { rules: [ { id: r, when: { command: signalbox route }, then: deny, message: no } ] }
`,
      [
        [
          'deadlock',
          "router-first needs `signalbox route --record`, and no-sb's rule r refuses that",
          'signalbox.yaml:4 let `signalbox route --record` pass: `unless: { command: signalbox route --record }`',
          'signalbox.yaml:3 let `spawns router` pass: `unless: { action: spawn, agent: router }`',
        ],
      ],
    ],
    [
      'an agent that may be spawned and may not do it',
      `gates:\n${gate('t', '{ event: tool.after, caller: tester, command: npm test, succeeded: true }', PUSH)}
  no-sub-run: { rules: [ { id: r, when: { action: run }, unless: { caller: main }, then: deny, message: no } ] }
`,
      [
        [
          'deadlock',
          "t needs `tester: npm test`, and no-sub-run's rule r refuses that",
          'signalbox.yaml:9 let `tester: npm test` pass: `unless: { any: [{ caller: main }, { caller: tester, command: npm test }] }`',
        ],
      ],
    ],
    [
      'a call that closes what it opens',
      `gates:\n${gate('clean', '{ event: tool.after, command: git stash }', PUSH, closes('{ event: tool.before, action: write }'))}`,
      [
        [
          'deadlock',
          '`git stash` would open clean, and closes it itself',
          'signalbox.yaml:5 open it with something an agent can do here, or say `opens: human`, and in its message that the user opens it',
        ],
      ],
    ],
    [
      'gates that close each other hold a turn',
      `gates:\n${gate('linted', '{ event: tool.after, command: npm run lint }', '{ event: turn.stop }', closes('{ event: tool.before, command: npm test }'))}${gate('tested', '{ event: tool.after, command: npm test }', '{ event: turn.stop }', closes('{ event: tool.before, command: npm run lint }'))}`,
      [
        [
          'cannot-end',
          "linted's rule r refuses it; `npm run lint` opens linted and closes tested; `npm test` opens tested and closes linted",
          'signalbox.yaml:8 allow it to end: `limit: 1`, or a way to open the gate',
        ],
      ],
    ],
  ])('%s', (_, policy, expected) => {
    expect(told(policy).filter(([kind]) => kind === 'deadlock' || kind === 'cannot-end')).toEqual(expected)
  })

  it('advice that takes all of its parts says so', () => {
    const both = `gates:
${gate('t', '{ event: tool.after, command: npm test }', PUSH)}
  one: { rules: [ { id: r, when: { command: npm }, then: deny, message: no } ] }
  two: { rules: [ { id: r, when: { command: [npm test, npm publish] }, then: deny, message: no } ] }
`
    const [[, , ...fix] = []] = told(both)
    expect(fix).toEqual([
      'signalbox.yaml:9 let `npm test` pass: `unless: { command: npm test }`',
      'signalbox.yaml:10 and let `npm test` pass: `unless: { command: npm test }`',
    ])
  })

  it('what would leave another fault is no fix: a rule that refuses nothing any more', () => {
    const only = `gates:
${gate('t', '{ event: tool.after, command: npm test }', PUSH)}
  one: { rules: [ { id: r, when: { command: npm test }, then: deny, message: no } ] }
`
    const [[, , ...fix] = []] = told(only)
    expect(fix).toHaveLength(1)
    expect(fix[0]).toMatch(/^signalbox\.yaml:\d+ open it with something an agent can do here, or say `opens: human`/)
  })

  it('no fix switches off a rule of a pack', () => {
    const policy = `use: [master-orchestrator]
gates:
  done:
    initial: closed
    transitions: [{ from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }]
    rules: [{ id: r, while: closed, when: { event: turn.stop }, then: deny, message: Test first. }]
`
    const advice = withPolicies((load, root) =>
      proofOf(load(policy), root, only).findings.flatMap(({ fix }) => fix.map(one => one.advice)),
    )
    expect(advice).toEqual(['allow it to end: `limit: 1`, or a way to open the gate'])
  })

  it.each([
    ['tried', undefined],
    ['not tried, as that takes too long', 1],
  ])('what leaves a rule nothing to speak of is not told, %s', (_, events) => {
    const handoff = `use: [{ router-first: { handoff: true } }]
gates:
  only-two: { rules: [ { id: r, when: { action: spawn }, unless: { agent: [router, dev] }, then: deny, message: no } ] }
`
    const all = withPolicies((load, root) => {
      const loaded = load(handoff)
      const { findings } = proofOf(loaded, root, only)
      const mending = new FixSearch(inputOf(loaded, root, { ...only, ...(events && { bounds: { events } }) }), findings)
      return findings.map(one => mending.verifyFixes(one)).flatMap(({ fix }) => fix.map(one => one.advice))
    })
    expect(all).not.toEqual([])
    expect(all.filter(one => one.includes('unless'))).toEqual([])
  })

  it.each([
    ['{ command: ls }', '{ command: [ls, npm test] }'],
    ['{ command: [ls, npm ci] }', '{ command: [ls, npm ci, npm test] }'],
    [
      '{ any: [ { command: ls }, { command: pwd, caller: bob } ] }',
      '{ any: [{ command: ls }, { command: pwd, caller: bob }, { command: npm test }] }',
    ],
    [
      '\n          action: run\n          command: "ls *"',
      '{ any: [{ action: run, command: "ls *" }, { command: npm test }] }',
    ],
  ])('a fix beside `unless: %s` is one value with it', (old, expected) => {
    const policy = (unless: string) => `gates:
${gate('t', '{ event: tool.after, command: npm test }', PUSH)}
  one:
    rules:
      - id: r
        when: { action: run }
        then: deny
        message: no
        unless: ${unless}
`
    const [[, , ...fix] = []] = told(policy(old))
    expect(fix).toEqual([`signalbox.yaml:12 let \`npm test\` pass: \`unless: ${expected}\``])
    expect(told(policy(expected))).toEqual([])
  })

  const TESTED = '{ event: tool.after, command: npm test, succeeded: true }'
  const BOTH = 'let `signalbox run -- npm test` pass: `unless: { command: [npm test, signalbox run -- npm test] }`'

  it('what is to be pasted mends it on every client it is told of, and is one story', () => {
    const policy = (more = '') =>
      `gates:\n${gate('t', TESTED, '{ action: run }').replace('message: no', `message: no, suggest: npm test${more}`)}`
    const deadlock = (needs: string) => ['deadlock', `t needs \`${needs}\`, and its own rule r refuses that`]
    expect(told(policy(), {})).toEqual([[...deadlock('npm test'), `signalbox.yaml:7 ${BOTH}`]])
    const half = policy(', unless: { command: npm test }')
    expect(told(half, {})).toEqual([[...deadlock('signalbox run -- npm test'), `signalbox.yaml:7 ${BOTH}`]])
    expect(told(policy(', unless: { command: [npm test, signalbox run -- npm test] }'), {})).toEqual([])
    expect(told(half)).toEqual([])
  })

  it('what is misleading on some clients in other words is one story too', () => {
    const policy = `gates:
${gate('t', '{ event: tool.after, command: [npm test, make], succeeded: true }', PUSH).replace('message: no', 'message: no, suggest: npm test')}
  no-npm: { rules: [ { id: n, when: { command: npm test }, then: deny, message: no } ] }
`
    expect(told(policy, {}).map(([kind, why]) => [kind, why])).toEqual([
      ['misleading', 'no-npm/n refuses it in the state in which it is suggested'],
    ])
  })

  it.each([
    [
      'its own rule refuses what opens it',
      `gates:\n${gate('t', '{ event: tool.after, command: npm test }', '{ any: [{ event: turn.stop }, { action: run }] }')}`,
    ],
    [
      'another gate refuses it',
      `gates:
${gate('t', '{ event: tool.after, action: write, path: NOTES.md }', '{ event: turn.stop }')}
  reads: { rules: [ { id: w, when: { action: write }, then: deny, message: no } ] }
`,
    ],
    [
      'two others refuse it',
      `gates:
${gate('t', '{ event: tool.after, command: npm test }', '{ event: turn.stop }')}
  one: { rules: [ { id: r, when: { action: run }, then: deny, message: no } ] }
  two: { rules: [ { id: r, when: { action: run }, then: deny, message: no } ] }
`,
    ],
  ])('a turn that a stuck gate keeps from ending is mended by what opens the gate: %s', (_, policy) => {
    const [deadlock, held] = told(policy)
    expect([deadlock?.[0], held?.[0]]).toEqual(['deadlock', 'cannot-end'])
    expect(held?.slice(2).join()).not.toContain('limit')
    expect(held?.slice(2)).toEqual(deadlock?.slice(2))
  })

  it('a rule that wants what no capture can hold is told so', () => {
    const [never] = told(`gates:
  routed:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: agent.stop, agent: router }, capture: { d: { json: { type: object, required: [risk], properties: { risk: { enum: [low, high] } } } } }, invalid: { then: deny, message: no } }
    rules:
      - { id: r, while: open, when: { command: git push, captured: { routed.d.risk: medium } }, then: deny, message: no }
`)
    expect(never).toEqual([
      'unreachable',
      'no answer that a `capture` accepts has `routed.d.risk` as the condition requires',
      'signalbox.yaml:7 change its condition, or remove it',
    ])
  })

  it.each([
    ['{ type: integer, minimum: 5, maximum: 3 }', 'steps must be at most 3'],
    ['{ enum: [] }', 'steps must be one of an empty list'],
    [
      '{ type: object, required: [first], properties: { first: { type: number, minimum: 2, maximum: 1 } } }',
      'steps.first must be at most 1',
    ],
  ])('an answer that nobody can give is told by its field: %s', (field, problem) => {
    const schema = `{ type: object, required: [steps], properties: { steps: ${field} } }`
    const [[, why] = []] = told(
      `gates:\n${gate('plan', `{ event: agent.stop, agent: planner }, capture: { p: { json: ${schema} } }`, PUSH)}`,
    )
    expect(why).toBe(
      `\`planner stops\` would open plan, and no answer is what its \`capture\` plan.p requires: ${problem}`,
    )
  })

  it('an answer that no `capture` accepts is told by its field', () => {
    const schema = '{ type: object, required: [verdict], properties: { verdict: { enum: [good, bad] } } }'
    const [[, why] = []] = told(`gates:
  plan:
    initial: closed
    transitions: [{ from: closed, to: open, when: { event: agent.stop, agent: planner }, capture: { p: { json: ${schema} } } }]
${gate('ready', '{ event: tool.before, command: prepare, captured: { plan.p.verdict: maybe } }', PUSH)}`)
    expect(why).toBe(
      '`prepare` would open ready, and no answer that a `capture` accepts has `plan.p.verdict` as the condition requires',
    )
  })
})
