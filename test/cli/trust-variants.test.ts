import { expect, it } from 'vitest'
import { type Stage, withStage } from '../support/in-process-command.ts'

const RELAXED = `gates:
  tests:
    initial: open
    transitions:
      - { from: open, to: closed, when: { event: tool.before, action: write } }
      - { from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }
    rules:
      - { id: untested, while: closed, when: { event: tool.before, action: run }, then: deny, message: Test first. }
adjust: { tests: { mode: warn } }
`
const HOOKED = `gates:
  plain: { rules: [{ id: a, when: { command: git push --force }, then: deny, message: No force. }] }
hooks:
  - { event: tool.before, run: ./look.sh }
`

const check = async (stage: Stage) => {
  const code = await stage.run(['check', '--client', 'claude-code'], { width: 160, env: { NO_COLOR: '1' } })
  return { code, said: stage.said }
}
const jsonOf = async (stage: Stage) => {
  await stage.run(['check', '--json', '--client', 'claude-code'])
  const { proof } = JSON.parse(stage.said.slice(stage.said.indexOf('{')))
  return { ...proof, tookMs: 0 }
}

it('what is so only until it is trusted is told as that, before and after', () =>
  withStage(async stage => {
    stage.put('signalbox.yaml', RELAXED)
    const before = await check(stage)
    expect(before.code).toBe(1)
    expect(before.said).toContain('STUCK  1 gate, 1 rule from 1 layer\nproof  1 finding (')
    expect(before.said).toContain(' before and after `signalbox trust`')
    expect(before.said).toContain('\nDEADLOCK  until it is trusted, tests can be closed with no way left to open it\n')
    const json = await jsonOf(stage)
    expect(json).toMatchObject({ ok: false, trust: 'both', findings: [{ kind: 'deadlock', when: 'untrusted' }] })
    expect(await stage.run(['trust'], { answer: 'y' })).toBe(0)
    const after = await check(stage)
    expect(after.code).toBe(1)
    expect(before.said.startsWith(after.said.trimEnd())).toBe(true)
    expect(json.findings).not.toMatchObject([{ inForce: false }])
    const [found] = json.findings
    expect(await jsonOf(stage)).toEqual({ ...json, findings: [{ ...found, inForce: false }] })
  }))

it('it is no proof where what waits for trust cannot be looked into', () =>
  withStage(async stage => {
    stage.put('signalbox.yaml', HOOKED)
    stage.put('look.sh', '#!/bin/sh\n')
    const before = await check(stage)
    expect(before.code).toBe(3)
    expect(before.said).toContain('NOT PROVEN  1 gate, 1 rule from 1 layer\n')
    expect(before.said).toContain('\nNOT CHECKED  ')
    expect(await stage.run(['trust'], { answer: 'y' })).toBe(0)
    const after = await check(stage)
    expect(after.code).toBe(3)
    expect(after.said).toContain('NOT PROVEN  1 gate, 1 rule from 1 layer\n')
  }))

it('nobody at work is alarmed of what is not in force', () =>
  withStage(async stage => {
    stage.put('signalbox.yaml', RELAXED)
    expect(await stage.run(['trust'], { answer: 'y' })).toBe(0)
    expect(await stage.run(['check'])).toBe(1)
    await stage.run(['status'], { env: { NO_COLOR: '1' } })
    expect(stage.said).not.toContain('no way left')
  }))

it('trust that changes nothing of the gates is not proven twice', () =>
  withStage(async stage => {
    stage.put('signalbox.yaml', `${HOOKED.replace(/hooks:[\s\S]*/, '')}settings: { budgetMs: 900 }\n`)
    const { code, said } = await check(stage)
    expect(code).toBe(0)
    expect(said).not.toContain('before and after')
  }))

it('a fix in a file that waits for trust says that it waits', () =>
  withStage(async stage => {
    stage.put('signalbox.yaml', RELAXED)
    expect((await check(stage)).said).toContain(
      'Fix   signalbox.yaml:8 let `npm test` pass: `unless: { command: npm test }`; then run `signalbox trust` again\n',
    )
    stage.put(
      'signalbox.yaml',
      `use: [{ router-first: { handoff: true } }]
gates:
  only: { rules: [{ id: r, when: { action: spawn }, unless: { agent: [router, dev] }, then: deny, message: Only these. }] }
`,
    )
    expect((await check(stage)).said.replace(/\s+/g, ' ')).toContain(
      'signalbox.yaml change the message: `adjust: { router-handoff: { messages: { target-first: … } } }`; then run `signalbox trust`',
    )
  }))

it('no fix switches off a rule of a pack where the gate can be opened otherwise', () =>
  withStage(async stage => {
    const opens = '{ event: tool.after, caller: main, action: write, path: PLAN.md }'
    stage.put(
      'signalbox.yaml',
      `use: [orchestrator-boundary]
gates:
  plan:
    initial: closed
    transitions: [{ from: closed, to: open, when: ${opens} }]
    rules: [{ id: r, while: closed, when: { command: git push }, then: deny, message: Ask the user. }]
`,
    )
    const { said } = await check(stage)
    expect(said).toContain('open it with something orchestrator-boundary lets through')
    expect(said).not.toContain('off:')
  }))
