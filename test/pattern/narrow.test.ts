import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Action,
  type Condition,
  type Event,
  type MatchContext,
  matchCondition,
  parseCommand,
  prefilterCondition,
} from '../../src/engine/index.ts'
import { regex } from '../../src/hook/services/regex.ts'

const NEVER = { any: [] }
const command = (...texts: readonly string[]): Condition => ({
  key: 'command',
  in: texts.map(text => (text === '$reading' ? { reading: true } : (parseCommand(text) ?? { reading: true }))),
})
const words = (line: string): Action['words'] => line.split(' ').map(text => ({ text, role: 'plain' }))
const run = (line: string, more: Partial<Action> = {}): Action => ({ action: 'run', words: words(line) ?? [], ...more })
const before: Condition = { key: 'event', in: ['tool.before'] }
const event = (kind: Event['kind'], acts: readonly Action[] = []): Event => ({
  kind,
  client: 'generic',
  name: kind,
  session: 's',
  caller: { kind: 'main' },
  ...(kind === 'prompt.submit' && { prompt: { text: 'go', source: 'user' } }),
  ...(kind.startsWith('tool.') && { call: { tool: 'Bash', input: { command: 'git a' }, acts, status: 'succeeded' } }),
})
const left = (condition: Condition, act: Action) => prefilterCondition(condition, act, event('tool.before', [act]))

describe('what is left of a condition for acts of one outline', () => {
  const isRun: Condition = { key: 'action', in: ['run'] }

  it('constants that hold are gone, and one that does not ends it', () => {
    expect(left({ all: [before, isRun, command('git commit', 'npm test')] }, run('git push'))).toEqual(
      command('git commit'),
    )
    expect(left({ all: [before, isRun, command('git commit', 'npm test')] }, run('ls'))).toEqual(NEVER)
    expect(left({ all: [before, { key: 'action', in: ['write'] }] }, run('ls'))).toEqual(NEVER)
  })

  it('a program is known by its bare name', () => {
    expect(left(command('git commit'), run('/usr/bin/GIT push'))).toEqual(command('git commit'))
  })

  it('a wildcard, a set and a template may be any program', () => {
    for (const text of ['* install', '$reading', '{tool} x'])
      expect(left(command(text, 'npm'), run('ls'))).toEqual(command(text))
  })

  it('alternatives of other programs are gone, however deep', () => {
    const any: Condition = { any: [{ all: [command('npm'), { key: 'tool', in: ['x'] }] }, command('git')] }
    expect(left({ all: [any] }, run('git push'))).toEqual(command('git'))
    expect(left({ not: any }, run('ls'))).toEqual({ all: [] })
  })

  it('of what cannot be read all is left', () => {
    const unread: Action = { action: 'run', words: [{ text: null, role: 'plain' }] }
    expect(left(command('npm'), unread)).toEqual(command('npm'))
    expect(left(before, { action: 'other', opaque: true })).toBe(before)
  })

  it('an act is seen anew when its call has ended', () => {
    const act = run('git push')
    const ended: Condition = { all: [{ key: 'event', in: ['tool.after'] }, command('git')] }
    expect([left(ended, act), prefilterCondition(ended, act, event('tool.after', [act])), left(ended, act)]).toEqual([
      NEVER,
      command('git'),
      NEVER,
    ])
  })
})

const leaf = fc.constantFrom<Condition>(
  before,
  { key: 'event', in: ['tool.after', 'prompt.submit'] },
  { key: 'action', in: ['run'] },
  { key: 'action', in: ['write', 'fetch', 'other'] },
  command('git a', 'npm', 'b'),
  command('* a', 'git b'),
  command('$reading'),
  { key: 'path', in: [{ glob: '/p/**', head: '/p' }] },
  { key: 'url', in: [{ regex: 'x' }] },
  { key: 'prompt', in: [{ has: 'go' }] },
  { key: 'source', in: ['user'] },
  { key: 'input', fields: [{ field: 'command', in: [{ regex: 'git' }] }] },
  { key: 'input', fields: [] },
  { key: 'assigns', fields: [{ field: 'A', in: [{ has: '' }] }] },
  { key: 'assigns', fields: [] },
  { key: 'succeeded', in: ['true'] },
  { key: 'succeeded', in: ['unknown'] },
  { key: 'tool', in: ['Bash'] },
  { key: 'whitelisted', is: false, layers: ['project'] },
)
const { condition } = fc.letrec<{ condition: Condition }>(tie => ({
  condition: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.record({ all: fc.array(tie('condition'), { maxLength: 4 }) }),
    fc.record({ any: fc.array(tie('condition'), { maxLength: 4 }) }),
    fc.record({ not: tie('condition') }),
  ),
}))
const act = fc.oneof(
  fc.constantFrom<Action>(
    { action: 'other' },
    { action: 'other', opaque: true },
    { action: 'run', opaque: true, words: words('git a') ?? [] },
    { action: 'run', words: [] },
    { action: 'run', words: [{ text: null, role: 'plain' }] },
    { action: 'run', words: [{ text: '', role: 'plain' }] },
    { action: 'write', place: { lexical: '/p/a' } },
    { action: 'write', place: { lexical: null } },
    { action: 'fetch', url: null },
    { action: 'fetch', url: 'http://x' },
    run('git a', { assigns: { A: null } }),
  ),
  fc
    .constantFrom('git a', 'git b', '/opt/git a', 'npm', 'b', 'ls a', 'other')
    .map(line => run(line, { implied: true })),
  // more programs than there is room for
  fc.nat(600).map(nth => run(`program-${nth} a`, { onlyReads: nth % 2 === 0 })),
)

it('what is left gives the same answer as the whole', () => {
  const kinds = fc.constantFrom<Event['kind']>('tool.before', 'tool.after', 'tool.failed', 'prompt.submit', 'turn.stop')
  const program = { hash: '', gates: [], allow: [], notices: [] }
  fc.assert(
    fc.property(condition, fc.array(act, { minLength: 1, maxLength: 8 }), kinds, (whole, acts, kind) => {
      const told = event(kind, acts)
      const facts = { now: 0, env: {}, root: '/p' }
      const nothing = { state: () => undefined, captured: () => undefined, fill: (text: string) => text }
      const scene: MatchContext = { event: told, program, facts, regex, turn: 0, ...nothing }
      for (const one of acts)
        for (const reading of ['any', 'all'] as const)
          expect(matchCondition(prefilterCondition(whole, one, told), one, scene, reading)).toBe(
            matchCondition(whole, one, scene, reading),
          )
    }),
    { numRuns: 3000 },
  )
})
