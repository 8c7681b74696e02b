import { expect, it } from 'vitest'
import { eventFromRecord, findRecordGaps } from '../../src/analysis/simulator/index.ts'
import { analyseShellLine } from '../../src/engine/shell/index.ts'
import { recordOf } from '../support/store/records.ts'

it('the end of a call has the acts of its beginning: its line is read once', () => {
  const call = { tool: 'Bash', acts: ['run npm test', 'run tail -20'] }
  const [before, after, other] = [
    recordOf({ ...call, event: 'tool.before' }),
    recordOf({ ...call, event: 'tool.after' }),
    recordOf({ ...call, acts: ['run npm test -w a'] }),
  ].map(record => eventFromRecord(record).call?.acts)
  expect(after?.map((act, nth) => act === before?.[nth])).toEqual([true, true])
  expect(other?.[0]?.words?.map(word => word.text)).toEqual(['npm', 'test', '-w', 'a'])
})

it.each([
  [{ caller: 'build' }, { kind: 'main', type: 'build' }],
  [
    { caller: 'build', agent: 'ses_1' },
    { kind: 'agent', id: 'ses_1', type: 'build' },
  ],
  [
    { caller: 'ses_1', agent: 'ses_1' },
    { kind: 'agent', id: 'ses_1' },
  ],
  [{ caller: 'main' }, { kind: 'main' }],
  [{ caller: 'unknown' }, { kind: 'unknown' }],
])('a subagent has an id on record, a type alone is the main agent: %j', (told, caller) => {
  const record = recordOf({ event: 'tool.before', client: 'opencode', ...told })
  expect(eventFromRecord(record).caller).toEqual(caller)
  expect(findRecordGaps(record, { input: false, since: false, env: false })).toEqual([])
})

it('in an old record of a client whose callers are inferred, a type without id is a subagent', () => {
  const record = recordOf({ event: 'tool.before', client: 'gemini-cli', caller: 'router' })
  expect(eventFromRecord(record).caller).toEqual({ kind: 'agent', id: 'router', type: 'router' })
})

it('a prompt is of whom it was, and an answer that a gate captured is on record', () => {
  const prompt = recordOf({ event: 'prompt.submit', source: 'system' })
  expect(eventFromRecord(prompt).prompt).toEqual({ text: '', source: 'system' })
  const stop = recordOf({ event: 'agent.stop', caller: 'router', captured: '{"intent":"fix"}' })
  expect(eventFromRecord(stop).answer).toBe('{"intent":"fix"}')
})

it.each([
  ['signalbox run -- npm test 2>&1 | tail -5', moved('open'), true],
  ['signalbox run -- npm test 2>&1 | tail -5', [], undefined],
  ['signalbox run -- npm test; signalbox run -- npm run lint | cat', moved('open'), undefined],
])(
  'a gate that opened on an unknown end was opened by the only run that can be attested: %s',
  (line, moves, proven) => {
    const acts = analyseShellLine(line).acts.map(({ words = [] }) => `run ${words.map(word => word.text).join(' ')}`)
    const event = eventFromRecord(recordOf({ event: 'tool.after', tool: 'Bash', acts, line, moves, ended: 'unknown' }))
    const tests = event.call?.acts.find(({ words = [] }) => words.map(word => word.text).join(' ') === 'npm test')
    expect([tests?.ended === 'succeeded' || undefined, tests?.ended && tests.implied]).toEqual([proven, proven])
  },
)

function moved(to: 'open' | 'closed') {
  return [{ gate: 'project/g', from: to === 'open' ? 'closed' : 'open', to }] as const
}

it.each([
  ['an old record', { moves: moved('open') }, 'succeeded'],
  ['it closed a gate, and nobody knows how it ended', { moves: moved('closed'), ended: 'unknown' }, 'unknown'],
  ['it opened one: it was attested', { moves: moved('open'), ended: 'unknown' }, 'succeeded'],
  ['it closed one by failing', { moves: moved('closed'), ended: 'failed' }, 'failed'],
] as const)('how a call ended that moved a gate: %s', (_, told, status) => {
  const record = recordOf({ event: 'tool.after', tool: 'Bash', acts: ['run npm test'], ...told })
  expect(eventFromRecord(record).call?.status).toBe(status)
})
