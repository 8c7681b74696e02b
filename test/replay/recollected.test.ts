import { expect, it } from 'vitest'
import { eventFromRecord, findRecordGaps } from '../../src/analysis/simulator/index.ts'
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
