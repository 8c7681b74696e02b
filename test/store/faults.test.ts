import { expect, it } from 'vitest'
import { canMeanFileMoved, describeError, isCorruption, isLockBusy } from '../../src/store/sqlite/errors.ts'

const thrown = (code: number, message = 'disk I/O error') => Object.assign(new Error(message), { errcode: code })

it.each([
  ['locked', thrown(5), { busy: true, damage: false, upset: false }],
  [
    'a file is gone that it was about to delete: another process was quicker',
    thrown(5898),
    { busy: true, damage: false, upset: false },
  ],
  ['any other I/O error', thrown(10), { busy: false, damage: false, upset: true }],
  ['cut', thrown(522), { busy: false, damage: true, upset: false }],
  ['no table', thrown(1, 'no such table: events'), { busy: false, damage: true, upset: false }],
])('%s', (_, error, expected) => {
  expect({ busy: isLockBusy(error), damage: isCorruption(error), upset: canMeanFileMoved(error) }).toEqual(expected)
})

it('is told in one line, with the file and what was thrown', () => {
  const error = thrown(13, 'database or disk is full')
  expect(describeError(error, '/a/b.db')).toMatchObject({
    message: 'the database cannot be written: the disk is full (/a/b.db)',
    cause: error,
  })
})
