import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MatchCache } from '../../src/analysis/replay/match-cache.ts'
import {
  type Action,
  type Condition,
  type Event,
  evaluate,
  type Gate,
  newSession,
  type Program,
  parseCommand,
  type Regex,
  type Rule,
} from '../../src/engine/index.ts'
import { regex } from '../../src/hook/services/regex.ts'

const command = (text: string): Condition => ({ key: 'command', in: [parseCommand(text) ?? { reading: true }] })
const input = (field: string, has: string): Condition => ({ key: 'input', fields: [{ field, in: [{ regex: has }] }] })
const before: Condition = { key: 'event', in: ['tool.before'] }
const rule = (id: string, when: Condition, more: Partial<Rule> = {}): Rule => ({
  ...{ id, events: ['tool.before'], when: { all: [before, when] }, unsure: 'pass', then: 'warn', message: `${id}.` },
  ...more,
})
const gate = (name: string, rules: readonly Rule[], more: Partial<Gate> = {}): Gate => ({
  ...{ id: `project/${name}`, name, layer: 'project', mode: 'block', scope: 'session', onError: 'open' },
  ...{ yields: false, transitions: [], rules, ...more },
})
const moves = (to: 'open' | 'closed', when: Condition, more: object = {}) => ({
  ...{ id: `to ${to}`, from: [to === 'open' ? ('closed' as const) : ('open' as const)], to, clock: false },
  ...{ events: ['tool.before' as const], when: { all: [before, when] }, ...more },
})

const LATCH = gate('latch', [rule('shut', command('git push'), { while: 'closed' })], {
  initial: 'closed',
  transitions: [moves('open', command('npm test')), moves('closed', command('git add'))],
})
const GATES = [
  LATCH,
  gate('by-command', [rule('pushes', command('git push')), rule('any', { key: 'action', in: ['run'] })]),
  gate('by-field', [rule('field', input('note', 'secret'))]),
  gate('by-part', [rule('part', input('a.b', 'x'))]),
  gate('by-caller', [rule('main', { key: 'caller', in: ['main'] })]),
  gate('by-state', [rule('state', { key: 'gate', states: [{ gate: LATCH.id, state: ['open'] }] })]),
  gate('by-tool', [rule('tool', { key: 'tool', in: ['Shell'] })]),
  gate('by-list', [rule('list', { key: 'whitelisted', is: true, layers: ['project'] })]),
  gate('by-count', [rule('once', command('git push'), { limit: 1 })]),
]
const program = (gates: readonly Gate[], allowed: string): Program => {
  const commands = [parseCommand(allowed) ?? ({ reading: true } as const)]
  return { hash: 'x', gates, allow: [{ layer: 'project', paths: [], commands, patterns: [] }], notices: [] }
}
/** As a replay has them: the same gates under two lists, and one gate in another mode. */
const one = program(GATES, 'npm test')
const PROGRAMS = [
  one,
  { ...one, gates: GATES.map(each => (each === LATCH ? { ...each, mode: 'observe' as const } : each)) },
  program(GATES, 'git push'),
]

const acts = (line: string): readonly Action[] => [
  { action: 'run', words: line.split(' ').map(text => ({ text, role: 'plain' })), via: line },
]
const LINES = ['npm test', 'git add a', 'git push', 'ls'].map(acts)

interface Told {
  readonly line: number
  readonly kind: 'tool.before' | 'tool.after'
  readonly note: string
  readonly agent: boolean
  readonly native: boolean
}
const eventOf = ({ line, kind, note, agent, native }: Told): Event => ({
  ...{ kind, client: 'generic', name: kind, session: 's' },
  caller: agent ? { kind: 'agent', id: 'a1' } : { kind: 'main' },
  call: {
    ...{ tool: 'Bash', ...(native && { native: 'Shell' }), acts: LINES[line] ?? [] },
    input: { note, a: { b: note } },
  },
})
const told: fc.Arbitrary<Told> = fc.record({
  line: fc.nat(LINES.length - 1),
  kind: fc.constantFrom('tool.before', 'tool.after'),
  note: fc.constantFrom('', 'x', 'secret'),
  agent: fc.boolean(),
  native: fc.boolean(),
})
const capabilities = { events: {}, shortens: false, callers: 'marked', reportsExit: true, reportsEnd: true } as const

/** The session of each side, event by event. */
function play(events: readonly Event[], asks?: MatchCache['judge']) {
  const sessions = PROGRAMS.map(() => newSession('s', '/p', 0))
  return events.map((event, now) =>
    PROGRAMS.map((program, side) => {
      const session = sessions[side] ?? newSession('s', '/p', 0)
      const facts = { now, env: {}, root: '/p' }
      const result = evaluate({ event, session, program, facts, capabilities }, { regex, ...(asks && { judge: asks }) })
      sessions[side] = result.session
      return result
    }),
  )
}

describe('what gates said before', () => {
  it('is what they say now, whatever they look at', () => {
    fc.assert(
      fc.property(fc.array(told, { maxLength: 12 }), list => {
        const said = new MatchCache()
        for (const line of LINES) said.expect(line)
        const events = list.map(eventOf)
        expect(play(events, said.judge)).toEqual(play(events))
      }),
      { numRuns: 300 },
    )
  })

  it('is not asked again: of the other side, of the same line', () => {
    const said = new MatchCache()
    let searches = 0
    const counting: Regex = {
      search(pattern, text) {
        searches += 1
        return regex.search(pattern, text)
      },
    }
    const [line = []] = LINES
    said.expect(line)
    const ask = (note: string, lists: readonly Program[]) => {
      const event = eventOf({ line: 0, kind: 'tool.before', note, agent: false, native: false })
      const facts = { now: 0, env: {}, root: '/p' }
      for (const program of lists)
        evaluate(
          { event, session: newSession('s', '/p', 0), program, facts, capabilities },
          { regex: counting, judge: said.judge },
        )
      return searches
    }
    const both = PROGRAMS.slice(0, 2)
    expect([ask('secret', both), ask('secret', both), ask('other', both)]).toEqual([2, 2, 4])
    // under another list nothing is certain
    expect(ask('secret', PROGRAMS)).toBe(6)
  })
})
