import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clientById } from '../src/clients/index.ts'
import { type Event, evaluate, newSession, type Outcome, type Program, type Session } from '../src/engine/index.ts'
import { regex } from '../src/hook/services/regex.ts'
import { type EventShorthand, parseEventShorthand } from '../src/policy/compile/compiler.ts'
import { House } from './policy/policy-sandbox.ts'
import { isWeaker } from './support/weaker-decision.ts'

/** Whatever is added to a policy, or wrapped around a command: nothing gets more through than before. */

const COMMANDS = [
  'git commit -m x',
  'npm test',
  'git push',
  'rm -rf src',
  'curl https://a.io/x',
  'echo x > docs/a',
  'ls',
]
const shortEvent: fc.Arbitrary<EventShorthand> = fc.oneof(
  fc.record({ shell: fc.constantFrom(...COMMANDS) }),
  fc.record({ shell: fc.constantFrom(...COMMANDS), after: fc.constantFrom('succeeded', 'failed', 'unknown') }),
  fc.record({ shell: fc.constantFrom(...COMMANDS), as: fc.constantFrom('router', 'builder', 'unknown') }),
  fc.record({ write: fc.constantFrom('src/a.ts', 'docs/b.md') }),
  fc.record({ fetch: fc.constantFrom('https://a.io/x', 'https://b.io/y') }),
  fc.record({ prompt: fc.constantFrom('fix it', 'deploy') }),
  fc.record({ stops: fc.constantFrom('router', 'builder') }),
  fc.constant({ stop: true }),
)

const condition = fc.oneof(
  fc.record({ command: fc.constantFrom('git commit', 'npm test', 'rm', 'git *') }),
  fc.record({ action: fc.subarray(['write', 'delete', 'run', 'fetch', 'read'], { minLength: 1 }) }),
  fc.record({ path: fc.constantFrom('src/', 'docs/', '**/*.md') }),
  fc.record({ caller: fc.constantFrom('main', 'agent', 'router') }),
  fc.record({ url: fc.constantFrom('https://a.io/:x', 'https://b.io') }),
)
const when = fc
  .record({ event: fc.constantFrom('tool.before', 'tool.after', 'turn.stop', 'prompt.submit') })
  .chain(event =>
    fc
      .oneof(condition, fc.record({ not: condition }), fc.record({ any: fc.tuple(condition, condition) }))
      .map(more => ({ ...event, ...more })),
  )
const transition = (to: 'open' | 'closed') =>
  when.map(condition => ({ from: to === 'open' ? 'closed' : 'open', to, when: condition }))
const ruleOf = (...decisions: readonly string[]) =>
  fc.record({ when, then: fc.constantFrom(...decisions), message: fc.constant('because') }).chain(rule =>
    fc
      .option(fc.record({ unless: condition, unsure: fc.constantFrom('warn', 'deny', 'ask', 'pass') }), {
        nil: undefined,
      })
      .map(more => ({ ...rule, ...more })),
  )
const gateOf = (...decisions: readonly string[]) =>
  fc
    .record({
      initial: fc.constantFrom('open', 'closed'),
      mode: fc.constantFrom('block', 'warn', 'observe'),
      transitions: fc.tuple(transition('open'), transition('closed')),
      rules: fc.array(ruleOf(...decisions), { minLength: 1, maxLength: 3 }),
    })
    .map(gate => ({
      ...gate,
      rules: gate.rules.map((rule, nth) => ({ ...rule, while: nth % 2 === 0 ? 'closed' : 'open' })),
    }))

const client = clientById('claude-code')
if (!client) throw new Error('no client')

const eventOf = (short: EventShorthand): Event => {
  const read = parseEventShorthand(short, { root: '/p', home: '/h', client: 'claude-code' })
  if ('problem' in read) throw new Error(read.problem)
  return read.event
}

function step(program: Program, session: Session, event: Event, now: number) {
  const facts = { now, env: {}, root: '/p', home: '/h' }
  return evaluate(
    {
      event,
      session,
      program,
      facts,
      capabilities: client?.capabilities ?? {
        events: {},
        shortens: true,
        callers: 'none',
        reportsExit: false,
        reportsEnd: false,
      },
    },
    { regex },
  )
}

/** Every outcome of a session under a policy. A refused call does not happen, so its end is not played. */
function play(program: Program, events: readonly EventShorthand[]): readonly Outcome[] {
  let session = newSession('s', '/p', 0)
  return events.map((short, nth) => {
    const result = step(program, session, eventOf(short), nth)
    session = result.session
    return result.outcome
  })
}

const compiled = (layers: { user?: object; project?: object }): Program => {
  const house = new House()
  if (layers.user) house.user(JSON.stringify(layers.user))
  if (layers.project) house.project(JSON.stringify(layers.project))
  const { program, problems } = house.load({ root: house.root })
  expect(problems).toEqual([])
  return program
}

const RUNS = { numRuns: 120 }

describe('adding to a policy', () => {
  it('a gate without `then: allow` never weakens a single event', () => {
    fc.assert(
      fc.property(
        gateOf('deny', 'ask', 'allow', 'warn'),
        gateOf('deny', 'ask', 'warn'),
        shortEvent,
        (old, added, event) => {
          const [before] = play(compiled({ user: { gates: { old } } }), [event])
          const [after] = play(compiled({ user: { gates: { old, added } } }), [event])
          expect(isWeaker(after?.decision ?? 'pass', before?.decision ?? 'pass')).toBe(false)
        },
      ),
      RUNS,
    )
  })

  it('an untrusted project layer never weakens a single event', () => {
    fc.assert(
      fc.property(gateOf('deny', 'ask', 'allow'), gateOf('deny', 'allow'), shortEvent, (mine, theirs, event) => {
        const theirPolicy = {
          gates: { theirs, mine: { ...theirs, mode: 'observe' } },
          allow: { commands: ['git commit', 'rm'] },
          adjust: { theirs: { mode: 'off' } },
        }
        const [before] = play(compiled({ user: { gates: { mine } } }), [event])
        const [after] = play(compiled({ user: { gates: { mine } }, project: theirPolicy }), [event])
        expect(isWeaker(after?.decision ?? 'pass', before?.decision ?? 'pass')).toBe(false)
      }),
      RUNS,
    )
  })
})

describe('evaluate', () => {
  it('gives the same for the same, and changes nothing it was given', () => {
    fc.assert(
      fc.property(gateOf('deny', 'ask', 'allow', 'warn'), fc.array(shortEvent, { maxLength: 8 }), (gate, events) => {
        const program = compiled({ user: { gates: { gate } } })
        let session = newSession('s', '/p', 0)
        for (const [nth, short] of events.entries()) {
          const event = eventOf(short)
          const frozen = JSON.stringify([event, session, program])
          const first = step(program, session, event, nth)
          expect(step(program, session, event, nth)).toEqual(first)
          expect(JSON.stringify([event, session, program])).toBe(frozen)
          session = first.session
        }
      }),
      RUNS,
    )
  })
})

describe('wrapping a command', () => {
  type Wrap = (command: string) => string
  /** spellings of the program's name */
  const QUOTES: readonly Wrap[] = [
    c => c,
    c => c.replace(/^(\w)(\w*)/, '$1""$2'),
    c => c.replace(/^(\w+)/, "'$1'"),
    c => c.replace(/^(\w)/, '\\$1'),
    c => c.replace(/^(\w+)/, '/usr/bin/$1'),
  ]
  /** programs that run the command that follows them */
  const PREFIXES: readonly Wrap[] = [
    'env A=b',
    'sudo',
    'nohup',
    'timeout 5',
    'command',
    '/usr/bin/env',
    'xargs',
    'nice -n 3',
    'stdbuf -oL',
  ].map(prefix => c => `${prefix} ${c}`)
  /** shell that runs whatever is in it; the first five quote, so they come first and once */
  const QUOTING: readonly Wrap[] = [
    c => c,
    c => `bash -c ${JSON.stringify(c)}`,
    c => `eval ${JSON.stringify(c)}`,
    c => `echo \`${c.replace(/\\/g, '\\\\')}\``,
    c => `bash <<'EOF'\n${c}\nEOF\n`,
  ]
  const COMPOUNDS: readonly Wrap[] = [
    c => `( ${c}\n)`,
    c => `{ ${c}\n}`,
    c => `FOO=1; ${c}`,
    c => `echo $( ${c}\n)`,
    c => `cat <( ${c}\n)`,
    c => `true && ${c}`,
    c => `if true; then ${c}\nfi`,
    c => `for i in 1 2; do ${c}\ndone`,
    c => `f() { ${c}\n}; f`,
    c => `while read -r x; do ${c}\ndone`,
    c => `case x in x) ${c}\n;; esac`,
  ]
  const deny = (when: object) => ({
    gates: { g: { rules: [{ when: { event: 'tool.before', ...when }, then: 'deny', message: 'no' }] } },
  })
  const program = () =>
    compiled({
      user: deny({ any: [{ command: ['git commit', 'git push', 'rm'] }, { action: ['write', 'delete', 'fetch'] }] }),
    })

  it('never lowers its verdict', () => {
    const policy = program()
    const command = fc.constantFrom(
      'git commit -m x',
      'git push',
      'rm -rf src',
      'curl https://a.io/x',
      'touch a',
      'git -C sub commit',
    )
    const wraps = fc.tuple(
      fc.constantFrom(...QUOTES),
      fc.array(fc.constantFrom(...PREFIXES), { maxLength: 2 }),
      fc.constantFrom(...QUOTING),
      fc.array(fc.constantFrom(...COMPOUNDS), { maxLength: 2 }),
    )
    fc.assert(
      fc.property(command, wraps, (line, [quote, prefixes, quoting, compounds]) => {
        const all = [quote, ...prefixes, quoting, ...compounds]
        const wrapped = all.reduce<string>((text, wrap) => wrap(text), line)
        expect([wrapped, play(policy, [{ shell: wrapped }])[0]?.decision]).toEqual([wrapped, 'deny'])
      }),
      { numRuns: 2000 },
    )
  })
})
