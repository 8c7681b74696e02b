import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { AT, count, Ground, KEY } from '../support/store/records.ts'

let ground: Ground
beforeEach(() => {
  ground = new Ground()
})
afterEach(() => ground.end())

it('an announcement without its record stays one line, however often the head file is compacted', () => {
  const store = ground.store()
  const write = (many: number) => {
    for (let nth = 0; nth < many; nth++) store.transact(KEY, AT, ({ session }) => count(session))
  }
  write(10)
  const lost = `+5 ${'a'.repeat(64)}`
  appendFileSync(join(ground.state, 'audit-head'), `${lost} 4 0000000000000000\n`)
  write(5 * 512)
  for (const name of ['audit-head', 'audit-head.copy']) {
    const lines = readFileSync(join(ground.state, name), 'utf8').split('\n')
    expect([name, lines.filter(line => line.startsWith(lost)).length]).toEqual([name, 1])
  }
})
