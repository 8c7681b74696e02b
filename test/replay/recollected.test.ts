import { expect, it } from 'vitest'
import { recollected } from '../../src/trial/index.ts'
import { recordOf } from '../store/ground.ts'

it('the end of a call has the acts of its beginning: its line is read once', () => {
  const call = { tool: 'Bash', acts: ['run npm test', 'run tail -20'] }
  const [before, after, other] = [
    recordOf({ ...call, event: 'tool.before' }),
    recordOf({ ...call, event: 'tool.after' }),
    recordOf({ ...call, acts: ['run npm test -w a'] }),
  ].map(record => recollected(record).call?.acts)
  expect(after?.map((act, nth) => act === before?.[nth])).toEqual([true, true])
  expect(other?.[0]?.words?.map(word => word.text)).toEqual(['npm', 'test', '-w', 'a'])
})
