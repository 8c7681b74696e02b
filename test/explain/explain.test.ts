import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { traceCondition } from '../../src/analysis/explain/index.ts'
import { clientById } from '../../src/clients/index.ts'
import type { Condition, EventKind, GateState, Quantifier } from '../../src/engine/index.ts'
import {
  type Action,
  actionsOf,
  type EvaluationInput,
  type Event,
  evaluate,
  type Gate,
  type MatchContext,
  matchCondition,
  newSession,
  type Program,
  parseCommand,
  parsePath,
  type Rule,
} from '../../src/engine/index.ts'
import { analyseShellLine } from '../../src/engine/shell/index.ts'
import { regex } from '../../src/hook/services/regex.ts'
import { disagreements } from './agrees.ts'

const LINES = [
  'git push',
  'git push --force origin main',
  'npm test && echo x > a',
  'rm -rf $DIR',
  'eval "$X"',
  'npm test | tail',
  'ls',
]
const KINDS: readonly EventKind[] = ['tool.before', 'tool.after', 'tool.failed']
const STATES: readonly GateState[] = ['open', 'closed']

const leaf: fc.Arbitrary<Condition> = fc.oneof(
  fc.subarray([...KINDS], { minLength: 1 }).map((list): Condition => ({ key: 'event', in: list })),
  fc
    .subarray(['main', 'agent', 'unknown', 'builder'], { minLength: 1 })
    .map((list): Condition => ({ key: 'caller', in: list })),
  fc
    .subarray(['run', 'write', 'delete'] as const, { minLength: 1 })
    .map((list): Condition => ({ key: 'action', in: list })),
  fc
    .subarray(['git push', 'git push --force', 'npm test', 'rm'], { minLength: 1 })
    .map((list): Condition => ({ key: 'command', in: list.flatMap(one => parseCommand(one) ?? []) })),
  fc
    .constantFrom('a', 'src/')
    .map((one): Condition => ({ key: 'path', in: [parsePath(one, { root: '/p', home: '/h' })].flat() })),
  fc
    .subarray(['true', 'false', 'unknown'] as const, { minLength: 1 })
    .map((list): Condition => ({ key: 'succeeded', in: list })),
  fc
    .constantFrom('push', 'x')
    .map((has): Condition => ({ key: 'input', fields: [{ field: 'command', in: [{ regex: has }] }] })),
  fc
    .constantFrom(...STATES)
    .map((state): Condition => ({ key: 'gate', states: [{ gate: 'project/g1', state: [state] }] })),
  fc
    .constantFrom(0, 3)
    .map((atLeast): Condition => ({ key: 'since', counters: [{ mark: 'opened', unit: 'operations', atLeast }] })),
  fc.boolean().map((is): Condition => ({ key: 'approved', is })),
)

const { condition } = fc.letrec<{ condition: Condition }>(tie => ({
  condition: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.array(tie('condition'), { maxLength: 3 }).map((all): Condition => ({ all })),
    fc.array(tie('condition'), { maxLength: 3 }).map((any): Condition => ({ any })),
    tie('condition').map((not): Condition => ({ not })),
    tie('condition').map((other): Condition => ({ with: other })),
  ),
}))

const event: fc.Arbitrary<Event> = fc
  .record({
    kind: fc.constantFrom(...KINDS),
    line: fc.constantFrom(...LINES),
    caller: fc.constantFrom<Event['caller']>(
      { kind: 'main' },
      { kind: 'unknown' },
      { kind: 'agent', id: 'b', type: 'builder' },
    ),
    status: fc.constantFrom('succeeded' as const, 'failed' as const, 'unknown' as const),
  })
  .map(({ kind, line, caller, status }) => {
    const acts: readonly Action[] = analyseShellLine(line, { background: false }).acts
    const call = { tool: 'Bash', input: { command: line }, acts, ...(kind !== 'tool.before' && { status }) }
    return { kind, client: 'claude-code', name: kind, session: 's', caller, call }
  })

const rule = (nth: number): fc.Arbitrary<Rule> =>
  fc
    .record({
      id: fc.constant(`r${nth}`),
      events: fc.constant(KINDS),
      when: condition,
      unsure: fc.constantFrom('warn' as const, 'deny' as const, 'ask' as const, 'pass' as const),
      then: fc.constantFrom('deny' as const, 'ask' as const, 'allow' as const, 'warn' as const),
      message: fc.constant('no'),
    })
    .chain(base =>
      fc
        .record({
          unless: fc.option(condition, { nil: undefined }),
          while: fc.option(fc.constantFrom(...STATES), { nil: undefined }),
        })
        .map(({ unless, while: state }) => ({ ...base, ...(unless && { unless }), ...(state && { while: state }) })),
    )

const gate = (nth: number): fc.Arbitrary<Gate> =>
  fc
    .record({
      initial: fc.constantFrom(...STATES),
      rules: fc.tuple(rule(1), rule(2)),
      mode: fc.constantFrom('block' as const, 'warn' as const, 'observe' as const),
      moves: fc.array(
        fc.record({
          from: fc.subarray([...STATES], { minLength: 1 }),
          to: fc.constantFrom(...STATES),
          when: condition,
          clock: fc.boolean(),
        }),
        { maxLength: 3 },
      ),
    })
    .map(({ initial, rules, mode, moves }) => ({
      id: `project/g${nth}`,
      name: `g${nth}`,
      layer: 'project' as const,
      mode,
      initial,
      scope: 'session' as const,
      onError: 'open' as const,
      yields: true,
      transitions: moves.map((move, at) => ({ id: `t${at}`, ...move, events: move.clock ? [] : KINDS })),
      rules,
    }))

const CAPABILITIES = clientById('claude-code')?.capabilities
const facts = { now: 1000, env: {}, root: '/p', home: '/h' }

function inputOf(one: Event, program: Program): EvaluationInput {
  if (!CAPABILITIES) throw new Error('no such client')
  return { event: one, session: newSession('s', '/p', 0), program, facts, capabilities: CAPABILITIES }
}

describe('an explanation', () => {
  it('of a condition is the answer that the engine gives, whatever it is made of', () => {
    fc.assert(
      fc.property(
        condition,
        event,
        fc.constantFrom<Quantifier>('any', 'all'),
        fc.constantFrom(...STATES),
        (one, told, reading, state) => {
          const mark = { at: 0, turn: 0, operations: 0 }
          const scene: MatchContext = {
            ...{ event: told, program: { hash: '', gates: [], allow: [], notices: [] }, facts, regex, turn: 0 },
            own: { state, operations: 2, changed: mark, opened: mark },
            ...{ state: () => state, captured: () => undefined, fill: text => text },
          }
          for (const act of actionsOf(told))
            expect(traceCondition(one, act, scene, reading).truth).toBe(matchCondition(one, act, scene, reading))
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('of an event names the rules that spoke and the transitions that happened, in any policy', () => {
    fc.assert(
      fc.property(fc.tuple(gate(1), gate(2)), fc.array(event, { minLength: 1, maxLength: 4 }), (gates, events) => {
        const program: Program = { hash: '', gates, allow: [], notices: [] }
        let session = newSession('s', '/p', 0)
        for (const one of events) {
          const input = { ...inputOf(one, program), session }
          const result = evaluate(input, { regex })
          expect(disagreements(input, { regex }, result)).toEqual([])
          session = result.session
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('that were wrong would be noticed', () => {
    const when: Condition = { key: 'command', in: [parseCommand('ls')].flatMap(one => one ?? []) }
    const [told] = fc.sample(event, { numRuns: 1, seed: 1 })
    const listing = { ...(told as Event), kind: 'tool.before' as const }
    const acts = analyseShellLine('ls', { background: false }).acts
    const asked = { ...listing, call: { tool: 'Bash', input: { command: 'ls' }, acts } }
    const [base] = fc.sample(gate(1), { numRuns: 1, seed: 1 })
    const rules: readonly Rule[] = [{ id: 'r', events: KINDS, when, unsure: 'warn', then: 'deny', message: 'no' }]
    const program: Program = {
      hash: '',
      gates: [{ ...(base as Gate), mode: 'block', transitions: [], rules }],
      allow: [],
      notices: [],
    }
    const input = inputOf(asked, program)
    const result = evaluate(input, { regex })
    const silent = { ...result, record: { ...result.record, matches: [] } }
    const moved = {
      ...result,
      record: { ...result.record, moves: [{ gate: 'project/g1', from: 'open' as const, to: 'closed' as const }] },
    }
    expect(disagreements(input, { regex }, result)).toEqual([])
    expect(disagreements(input, { regex }, silent)).toHaveLength(1)
    expect(disagreements(input, { regex }, moved)).toHaveLength(1)
  })
})
