import { writeSync } from 'node:fs'
import { SqliteStore } from '../../src/store/index.ts'
import { AT, count, KEY } from '../support/store/records.ts'

/** A process of its own that counts in one session: `worker.mjs <state folder> <times>`. Each answer is printed after its commit. */
const [, , folder = '', times = '0'] = process.argv
const store = new SqliteStore(folder)
for (let nth = 0; nth < Number(times); nth++) {
  const answer = store.transact(KEY, AT, ({ session }) => count(session, { notes: [String(process.pid)] }))
  writeSync(1, `${answer}\n`)
}
