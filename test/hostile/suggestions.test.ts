import { describe, expect, it } from 'vitest'
import { clientById } from '../../src/clients/index.ts'
import { type EvaluationInput, type Event, evaluate, newSession, type Rule } from '../../src/engine/index.ts'
import { suggestionConflicts } from '../../src/hook/index.ts'
import { regex } from '../../src/hook/services/regex.ts'
import { onGround } from './fixture.ts'

const PATIENCE_MS = 120_000

const rules = (many: number, more: (nth: number) => string): string =>
  Array.from(
    { length: many },
    (_, nth) => `      - { id: r${nth}, when: { event: tool.before }, then: deny, message: "m${nth}", ${more(nth)} }`,
  ).join('\n')
const project = (many: number, more: (nth: number) => string) => ({
  'signalbox.yaml': `gates:\n  g:\n    rules:\n${rules(many, more)}\n`,
})

const SUGGESTIONS: Readonly<Record<string, (nth: number) => string>> = {
  'the same line': () => 'suggest: npm test',
  'a line each': nth => `suggest: npm run t${nth}`,
  'an agent each': nth => `suggest: { agent: a${nth} }`,
  'a file each': nth => `suggest: { tool: Read, path: f${nth} }`,
}

/** How often the conditions of this gate's rules are read while one call is judged. */
async function readsOf(many: number, more: (nth: number) => string): Promise<number> {
  return onGround(project(many, more), async ground => {
    const { program } = ground.policy()
    let reads = 0
    const counted = (rule: Rule): Rule =>
      Object.defineProperty({ ...rule }, 'when', {
        enumerable: true,
        get: () => {
          reads++
          return rule.when
        },
      })
    const gates = program.gates.map(gate =>
      gate.id === 'project/g' ? { ...gate, rules: gate.rules.map(counted) } : gate,
    )
    expect(gates.find(({ id }) => id === 'project/g')?.rules).toHaveLength(many)
    const client = clientById('claude-code')
    if (!client) throw new Error('no client')
    const call = { tool: 'Bash', input: { command: 'ls' }, acts: [{ action: 'run' as const, words: [{ text: 'ls' }] }] }
    const event = { client: 'claude-code', session: 's', kind: 'tool.before', name: 'PreToolUse', call } as const
    const facts = { now: 1, env: {}, root: ground.project, home: ground.home }
    const input = {
      event: { ...event, caller: { kind: 'main' } } as unknown as Event,
      session: newSession('s', ground.project, 1),
      ...{ program: { ...program, gates }, facts, capabilities: client.capabilities },
    } as unknown as EvaluationInput
    const { outcome } = evaluate(input, { regex, conflicts: (...asked) => suggestionConflicts(one => one, ...asked) })
    expect(outcome.decision).toBe('deny')
    return reads
  })
}

describe.each(Object.keys(SUGGESTIONS))('rules that all refuse and suggest %s', name => {
  const more = SUGGESTIONS[name] ?? (() => '')

  it('are read once for each call, if they are many', async () => {
    // what they take without a suggestion
    const alone = await readsOf(200, () => 'context: ""')
    expect(await readsOf(200, more)).toBe(alone)
  })

  it('are read so often and no more, if they are few', async () => {
    const alone = await readsOf(12, () => 'context: ""')
    expect(await readsOf(12, more)).toBeLessThanOrEqual(alone * (1 + 2 * 12))
  })
})

describe('a project with a thousand rules that refuse and suggest', () => {
  it.each([1000, 1900])(
    'costs about what it costs without the suggestions: %i rules',
    async many => {
      const without = await cpuOf(many, () => 'context: ""')
      expect(await cpuOf(many, () => 'suggest: npm test')).toBeLessThan(3 * without + 500)
    },
    PATIENCE_MS,
  )
})

/** Milliseconds of processor time for one `ls`, the policy compiled. */
const cpuOf = (many: number, more: (nth: number) => string): Promise<number> =>
  onGround(project(many, more), async ground => {
    expect(ground.policy().layers.find(({ layer }) => layer === 'project')?.state).toBe('active')
    expect(await ground.refuses('claude-code', 'git status')).toBe(true)
    const began = process.cpuUsage()
    expect(await ground.refuses('claude-code', 'ls')).toBe(true)
    const { user, system } = process.cpuUsage(began)
    return (user + system) / 1000
  })

it('a suggestion is not a way around the steps that regexes may take', async () => {
  const slow = (nth: number) =>
    `unless: { input: { command: { regex: "(x+x+)+y${nth}|([a-z ]{1,100}){1,9}Q" } } }, suggest: "npm run t${nth} ${'x'.repeat(250)}"`
  await onGround(project(12, slow), async ground => {
    await ground.ask('claude-code', 'ls', ground.other)
    const alone = ground.steps
    ground.steps = 0
    expect(await ground.refuses('claude-code', 'ls')).toBe(true)
    expect(ground.steps).toBeLessThanOrEqual(alone + 3_000_000)
  })
})
