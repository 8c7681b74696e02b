import { describe, expect, it } from 'vitest'
import { type CompiledPolicy, check, compile, evaluate, formatDiagnostic } from '../../src/policy.ts'
import { policy } from '../../src/testing.ts'

const LOCKED = `
gates:
  locked:
    initial: closed
    transitions:
      - { id: made, from: closed, to: open, when: { event: tool.after, command: make ok, succeeded: true } }
    rules:
      - { id: all, while: closed, when: { action: run }, then: deny, message: Nothing runs. }
`
const SOUND = LOCKED.replace('action: run', 'command: git push')

function compiled(text: string): CompiledPolicy {
  const compilation = compile(text)
  if (!compilation.ok) throw new Error(compilation.diagnostics.map(formatDiagnostic).join('\n'))
  return compilation.policy
}

describe('compile', () => {
  it('describes the gates of a policy that loads', () => {
    expect(compile(SOUND)).toEqual({
      ok: true,
      diagnostics: [],
      policy: {
        gates: [{ name: 'locked', mode: 'block', initial: 'closed', scope: 'session', rules: ['all'], isCode: false }],
      },
    })
  })

  it('gives every error its place', () => {
    const { ok, diagnostics } = compile('gates:\n  a: { rulez: [] }\n  b: { mode: blok }\n', { file: 'my.yaml' })
    expect(ok).toBe(false)
    expect(
      diagnostics.map(({ severity, file, line, column, length }) => [severity, file, line, column, length]),
    ).toEqual([
      ['error', 'my.yaml', 2, 8, 5],
      ['error', 'my.yaml', 3, 14, 4],
    ])
    expect(diagnostics.map(one => formatDiagnostic(one).split('\n')[0])).toEqual([
      'my.yaml:2:8 unknown key `rulez` in gate `a`',
      expect.stringMatching(/^my\.yaml:3:14 .*blok/),
    ])
  })

  it('keeps warnings apart: a policy with warnings loads', () => {
    const { ok, diagnostics } = compile(SOUND.replace('while: closed, ', ''))
    expect([ok, diagnostics.map(({ severity }) => severity)]).toEqual([true, ['warning']])
  })
})

describe('evaluate', () => {
  it('answers one event in a new session', () => {
    const sound = compiled(SOUND)
    const first = evaluate(sound, { shell: 'git push' })
    expect([first.decision, first.rule]).toEqual(['deny', 'all'])
    const made = evaluate(sound, { shell: 'make ok', after: 'succeeded' })
    expect(evaluate(sound, 'git push', { given: made.gates }).decision).toBe('pass')
    expect(evaluate(sound, 'git push').decision).toBe('deny')
  })

  it('takes only what `compile` returned', () => {
    expect(() => evaluate({ gates: [] }, 'ls')).toThrow('not a policy that `compile` returned')
  })
})

describe('check', () => {
  it('proves a sound policy', () => {
    expect(check(compiled(SOUND))).toMatchObject({ isProven: true, findings: [], inconclusive: [], unchecked: [] })
  })

  it('finds a deadlock, with a fix and events that lead there', () => {
    const { isProven, findings } = check(compiled(LOCKED), { clients: ['claude-code'] })
    const [found] = findings
    expect([isProven, findings.length, found?.kind, found?.gate]).toEqual([false, 1, 'deadlock', 'locked'])
    expect(found?.fixes[0]).toEqual({ at: 'signalbox.yaml:8', advice: expect.stringContaining('unless') })
    const p = policy(LOCKED, { client: found?.counterexample?.client ?? 'generic' })
    const played = found?.counterexample?.events.map(event => p.event(event))
    expect(played?.at(-1)).toMatchObject({ decision: 'deny', gate: 'locked' })
  })

  it('puts time that passes into the event after it', () => {
    const tired = LOCKED.replace('initial: closed', 'initial: open').replace(
      '    rules:',
      '      - { id: late, from: open, to: closed, when: { since: { opened: { seconds: 60 } } } }\n    rules:',
    )
    const { counterexample } = check(compiled(tired), { clients: ['claude-code'] }).findings[0] ?? {}
    expect(counterexample?.events.some(({ wait = 0 }) => wait >= 60)).toBe(true)
    const p = policy(tired)
    for (const event of counterexample?.events ?? []) p.event(event)
    expect([p.gates(), p.event('make ok').decision]).toEqual([{ locked: 'closed' }, 'deny'])
  })

  it('does not call proven what it cannot examine', () => {
    const { isProven, unchecked: unseen } = check(compiled('gates: { quiet: { code: ./quiet.mjs } }'))
    expect([isProven, unseen]).toEqual([false, [expect.stringContaining('code of quiet')]])
  })

  it('knows its agents', () => {
    // @ts-expect-error
    expect(() => check(compiled(SOUND), { clients: ['claude'] })).toThrow(
      'unknown client `claude`; did you mean `claude-code`?',
    )
    // a typo in JavaScript: without an error the proof would be about something else
    const options = (written: object) => written
    expect(() => check(compiled(SOUND), options({ client: 'codex-cli' }))).toThrow(
      'unknown option `client`; did you mean `clients`?',
    )
    expect(() => compile('', options({ root: '.' }))).toThrow('unknown option `root`; one of folder, file')
    expect(() => evaluate(compiled(SOUND), 'ls', options({ clients: ['codex-cli'] }))).toThrow(
      'unknown option `clients`; did you mean `client`?',
    )
  })
})
