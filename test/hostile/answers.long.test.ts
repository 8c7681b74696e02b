import { describe, expect, it } from 'vitest'
import { onGround } from './fixture.ts'
import { HOSTILE } from './policies.ts'

const PATIENCE_MS = 120_000
/** What all regexes of a project may take for one event, and what those of the built-in pack take at most. */
const MOST_STEPS = 3_000_000
const long = (command: string, length: number): string => `${command} #${'x'.repeat(length)}`

/** Two kilobytes, forty and a megabyte of text behind a command: what a regex is slow on. */
const LENGTHS = [2_000, 40_000, 1_000_000]

describe.each(Object.keys(HOSTILE))('a project that brings %s', name => {
  const files = HOSTILE[name] ?? (() => ({}))

  it.each([300, 30_000])(
    'in %i parts lifts neither the gate of the person nor the built-in one, here and elsewhere',
    many =>
      onGround(files(many), async ground => {
        const { program, layers } = ground.policy()
        expect(program.gates.map(gate => gate.id)).toEqual(
          expect.arrayContaining(['user/no-push', 'built-in/self-protection']),
        )
        for (const { layer, state, errors } of layers) {
          if (layer === 'user' || layer === 'built-in') expect(state).toBe('active')
          else if (state === 'left-out') expect(errors.length).toBeGreaterThan(0)
        }
        expect(await ground.refuses('claude-code', long('git push', 2_000))).toBe(true)
        expect(await ground.refuses('claude-code', `rm -rf ${ground.project}/.claude`)).toBe(true)
        expect(await ground.refuses('claude-code', 'rm -rf .claude', ground.other)).toBe(true)
        const records = ground.records()
        expect(records).toHaveLength(3)
        expect(records.every(({ decision }) => decision === 'deny')).toBe(true)
      }),
    PATIENCE_MS,
  )
})

/** Those that are within the limits of what is compiled, and ask regexes, words and paths of every call. */
const WITHIN = ['regexes with repeats', 'plain regexes', 'paths of many stars', 'rules that all speak', 'a long unless']

describe.each(WITHIN)('a project that brings %s', name => {
  it.each(LENGTHS)(
    'takes so many steps of a line of %i characters, and no more',
    length =>
      onGround(HOSTILE[name]?.(50) ?? {}, async ground => {
        const { layers } = ground.policy()
        expect(layers.find(({ layer }) => layer === 'project')?.state).toBe('active')
        // what the person's and the built-in gates take by themselves
        await ground.ask('claude-code', long('git push', length), ground.other)
        const alone = ground.steps
        ground.steps = 0
        expect(await ground.refuses('claude-code', long('git push', length))).toBe(true)
        expect(ground.steps).toBeLessThanOrEqual(alone + MOST_STEPS)
      }),
    PATIENCE_MS,
  )
})

describe.each(['codex-cli', 'copilot-cli', 'cursor', 'gemini-cli', 'generic', 'opencode', 'qwen-code'])(
  '%s',
  client => {
    it.each(['regexes with repeats', 'unknown keys', 'rules that all speak'])(
      'is refused what it was, by a project that brings %s',
      name =>
        onGround(HOSTILE[name]?.(200) ?? {}, async ground => {
          expect(await ground.refuses(client, long('git push', 2_000))).toBe(true)
          expect(await ground.refuses(client, 'rm -rf .claude')).toBe(true)
        }),
      PATIENCE_MS,
    )
  },
)

describe('what a policy could not be judged by', () => {
  it(
    'is said to the person, and on record',
    () =>
      onGround(HOSTILE['regexes with repeats']?.(50) ?? {}, async ground => {
        const { stdout } = await ground.ask('claude-code', long('ls', 2_000))
        expect(stdout).toContain("the regexes of the project's policy take too long for this call")
        expect(ground.records().at(-1)?.errors.join()).toContain('the regexes of the project')
      }),
    PATIENCE_MS,
  )

  it(
    'is unknown: a rule that is strict when in doubt refuses',
    () => {
      const rules = Array.from(
        { length: 50 },
        (_, nth) =>
          `{ when: { input: { command: { regex: "([a-z]{1,100}){1,9}Q${nth}" } } }, unsure: deny, then: deny, message: Doubt. }`,
      )
      return onGround({ 'signalbox.yaml': `gates: { g: { rules: [${rules.join(', ')}] } }` }, async ground => {
        expect(await ground.refuses('claude-code', 'ls')).toBe(false)
        expect(await ground.refuses('claude-code', long('ls', 2_000))).toBe(true)
      })
    },
    PATIENCE_MS,
  )

  it(
    'of a call with very many parts is all of it',
    () =>
      onGround(HOSTILE.rules?.(1_500) ?? {}, async ground => {
        const { stdout } = await ground.ask('claude-code', 'ls; '.repeat(4_000))
        expect(stdout).toContain("this call has too many parts for the project's policy")
        expect(await ground.refuses('claude-code', `${'ls; '.repeat(4_000)}git push`)).toBe(true)
      }),
    PATIENCE_MS,
  )
})

describe('a large policy that means well', () => {
  const routes = Array.from(
    { length: 1_000 },
    (_, nth) => `  r${nth}: { url: "https://host${nth}.com/:a", message: "use {a}" }`,
  )
  const gates = Array.from(
    { length: 200 },
    (_, nth) =>
      `  g${nth}: { initial: closed, transitions: [{ from: closed, to: open, when: { event: tool.after, command: make t${nth}, succeeded: true } }], rules: [{ while: closed, when: { event: tool.before, command: deploy${nth} }, then: deny, message: "Run make t${nth} first.", suggest: make t${nth} }] }`,
  )

  it.each([
    ['1,000 routes', `routes:\n${routes.join('\n')}`, 'curl https://host999.com/x'],
    ['200 gates', `gates:\n${gates.join('\n')}`, 'deploy199 now'],
  ])(
    'of %s is in force',
    (_, text, command) =>
      onGround({ 'signalbox.yaml': text }, async ground => {
        expect(ground.policy().problems).toEqual([])
        const reply = await ground.ask('claude-code', command)
        expect(reply.stdout).toContain('"deny"')
        expect(reply.stdout).not.toContain('too')
      }),
    PATIENCE_MS,
  )
})
