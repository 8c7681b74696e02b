import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Spool } from '../../src/store/spool/spool.ts'
import { writeToSpool } from '../../src/store/spool/write-spool.ts'
import { openDriver, runTransaction } from '../../src/store/sqlite/driver.ts'
import { AT, count, Ground, KEY } from '../support/store/records.ts'
import { verifyStore } from '../support/store/verify-store.ts'

const ANSWER = {
  at: 5,
  client: 'generic',
  event: 'tool.before',
  tool: 'Bash',
  decision: 'deny',
  why: 'no reply within 2 s',
} as const

let ground: Ground
let folder: string
beforeEach(() => {
  ground = new Ground()
  folder = join(ground.state, 'spool')
  ground.store().transact(KEY, AT, ({ session }) => count(session))
})
afterEach(() => ground.end())

const step = () => ground.store().transact(KEY, AT, ({ session }) => count(session))
const names = () =>
  ground
    .store()
    .records({ last: 100 })
    .map(({ record }) => `${record.client} ${record.name}`)
const spooled = () => names().filter(name => name === 'generic tool.before')

describe('answers that were given without the store', () => {
  it('join the trail with the next event, before it, and are gone', () => {
    writeToSpool(ground.state, ANSWER)
    writeToSpool(ground.state, { ...ANSWER, decision: 'pass' })
    step()
    const [, first, second, last] = ground
      .store()
      .records({ last: 100 })
      .map(({ record }) => record)
    expect(first).toMatchObject({ at: 5, client: 'generic', name: 'tool.before', tool: 'Bash', errors: [ANSWER.why] })
    expect([first?.decision, second?.decision].sort()).toEqual(['deny', 'pass'])
    expect(last).toMatchObject({ client: KEY.client })
    expect(readdirSync(folder)).toEqual([])
    step()
    expect(spooled()).toHaveLength(2)
    expect(verifyStore(ground.store())).toMatchObject({ ok: true })
  })

  it('join once, though who put them on record ended before they were removed', () => {
    writeToSpool(ground.state, ANSWER)
    const spool = new Spool(folder)
    const [file = ''] = spool.waiting()
    const text = JSON.stringify(ANSWER)
    step()
    // it is there again, as if it had not been removed
    writeFileSync(join(folder, file), text)
    step()
    expect(spooled()).toHaveLength(1)
    expect(readdirSync(folder)).toEqual([])
    writeToSpool(ground.state, ANSWER)
    step()
    expect(spooled()).toHaveLength(2)
  })

  it('do not join where the step is not taken', () => {
    writeToSpool(ground.state, ANSWER)
    expect(() =>
      ground.store().transact(KEY, AT, () => {
        throw new Error('no')
      }),
    ).toThrow('no')
    expect(readdirSync(folder)).toHaveLength(1)
    step()
    expect(spooled()).toHaveLength(1)
  })

  it('join once, though two processes see them at the same time', () => {
    writeToSpool(ground.state, ANSWER)
    const late = new Spool(folder)
    const seen = late.waiting()
    step()
    const driver = openDriver(join(ground.state, 'signalbox.db'))
    expect(runTransaction(driver, () => late.join(driver, seen, 7))).toEqual([])
    driver.close()
    expect(spooled()).toHaveLength(1)
  })

  it('that cannot be read are on record as such, and what is no answer stays where it is', () => {
    mkdirSync(folder)
    writeFileSync(join(folder, '1-1.json'), '{"at":')
    writeFileSync(
      join(folder, '1-2.json'),
      JSON.stringify({ at: 'x', client: 7, event: null, decision: 'what', why: [] }),
    )
    writeFileSync(join(folder, '1-3.json'), 'x'.repeat(5000))
    writeFileSync(join(folder, 'notes.txt'), 'mine')
    writeFileSync(join(folder, '9.tmp'), 'being written')
    step()
    expect(
      names()
        .filter(name => /spool|unread/.test(name))
        .sort(),
    ).toEqual(['signalbox spool', 'signalbox spool', 'unknown unread'])
    expect(readdirSync(folder).sort()).toEqual(['9.tmp', 'notes.txt'])
  })

  it.each([
    ['folders', (file: string) => mkdirSync(file)],
    ['links', (file: string) => symlinkSync('/nowhere', file)],
  ])('join though there are a thousand %s in their way', (_, plant) => {
    mkdirSync(folder)
    for (let nth = 0; nth < 1000; nth++) plant(join(folder, `0-${nth}.json`))
    writeToSpool(ground.state, ANSWER)
    step()
    expect(spooled()).toHaveLength(1)
    expect(readdirSync(folder)).toHaveLength(1000)
  })

  it('are not more than a thousand', () => {
    mkdirSync(folder)
    for (let nth = 0; nth < 1000; nth++) writeFileSync(join(folder, `${nth}-0.json`), '{}')
    writeToSpool(ground.state, ANSWER)
    expect(readdirSync(folder)).toHaveLength(1000)
    step()
    expect(readdirSync(folder)).toHaveLength(936)
  })

  it('hold no secret once they are on record', () => {
    writeToSpool(ground.state, { ...ANSWER, why: 'curl -H "Authorization: Bearer abcdef0123456789abcdef"' })
    step()
    expect(JSON.stringify(ground.store().records({ last: 10 }))).not.toContain('abcdef0123456789')
  })
})
