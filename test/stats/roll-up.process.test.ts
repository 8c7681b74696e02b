import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { StatsDatabase } from '../../src/audit/stats/store/stats-database.ts'
import { SqliteStore } from '../../src/store/index.ts'
import { BIN } from '../support/sandbox.ts'
import { past } from '../support/store/past-records.ts'
import { Ground } from '../support/store/records.ts'
import { contentOf, countAll, HOUR, THEN, withBook } from '../support/store/stats-book.ts'

let ground: Ground
beforeEach(() => {
  ground = new Ground()
})
afterEach(() => ground.end())

const DAYS = 12
const some = (records: number) => [...past({ records, from: THEN - DAYS * 24 * HOUR, days: DAYS, seed: 1 })]
const anew = () => {
  const book = StatsDatabase.inMemory()
  countAll(ground.state, book)
  return book
}

it('several who count while hooks write', async () => {
  const writing = new SqliteStore(ground.state)
  const home = join(ground.folder)
  const env = { PATH: process.env.PATH, HOME: home, SIGNALBOX_HOME: home }
  const stats = () => spawn(process.execPath, [BIN, 'stats', '--json'], { env, cwd: home, stdio: 'ignore' })
  const records = some(1500)
  let nth = 0
  const write = () => {
    const record = records[nth++]
    if (record)
      writing.transact({ client: 'any', session: '' }, { root: '', now: record.at, expiryHours: 1 }, () => ({
        records: [record],
        result: 0,
      }))
  }
  while (nth < 700) write()
  const ends = [stats(), stats(), stats()].map(child => once(child, 'exit'))
  const done = Promise.all(ends)
  let isDone = false
  void done.then(() => {
    isDone = true
  })
  while (!isDone) {
    if (nth < 1400) write()
    await new Promise(next => setTimeout(next, 1))
  }
  expect((await done).map(([code]) => code)).toEqual([0, 0, 0])
  while (nth < records.length) write()
  writing.close()
  const whole = anew()
  withBook(ground, book => {
    countAll(ground.state, book)
    expect(contentOf(book)).toEqual(contentOf(whole))
  })
  whole.close()
})
