import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hashRecord } from '../../src/store/audit-log/audit-log.ts'
import { verifyAuditLog } from '../../src/store/audit-log/audit-log-reader.ts'
import { type AuditRecord, createStoreRecord, writeExportPosition } from '../../src/store/index.ts'
import { Stage } from '../support/in-process-command.ts'
import { write } from '../support/store/audit-records.ts'
import { Ground, NOW, recordOf } from '../support/store/records.ts'

let ground: Ground
beforeEach(() => {
  ground = new Ground()
})
afterEach(() => ground.end())

const fill = (many: number, now = NOW) =>
  write(
    ground.state,
    Array.from({ length: many }, (_, turn) => ({ at: now, turn })),
  )
const problems = () => verifyAuditLog(ground.state)?.problems.map(one => one.problem)
const sql = (text: string) => {
  const driver = ground.database()
  driver.exec(text)
  driver.close()
}

/** As somebody does who knows how: every hash from there on counted anew. */
function rewrite(from: number, to = Number.POSITIVE_INFINITY): void {
  const driver = ground.database()
  const rows = driver.prepare('SELECT seq, json, hash FROM records ORDER BY seq').all()
  let before = '0'.repeat(64)
  for (const { seq, json, hash } of rows) {
    const isAfter = Number(seq) >= from && Number(seq) < to
    const text = Number(seq) === from ? String(json).replace('"pass"', '"deny"') : String(json)
    before = isAfter ? hashRecord(before, Number(seq), text) : String(hash)
    driver.prepare('UPDATE records SET json = ?, hash = ? WHERE seq = ?').run(text, before, Number(seq))
  }
  driver.close()
}

/** As somebody does who knows how, and has only the database. */
function append(many: number, record: AuditRecord = recordOf({ decision: 'allow' })): void {
  const driver = ground.database()
  for (let nth = 0; nth < many; nth++) {
    const last = driver.prepare('SELECT seq, hash FROM records ORDER BY seq DESC LIMIT 1').get()
    const seq = Number(last?.seq) + 1
    const json = JSON.stringify(record)
    driver
      .prepare('INSERT INTO records VALUES (?, ?, ?, NULL)')
      .run(seq, json, hashRecord(String(last?.hash), seq, json))
  }
  driver.close()
}

const headFile = () => ground.file('audit-head')
const editHead = (edit: (lines: string[]) => string[]) =>
  writeFileSync(headFile(), `${edit(readFileSync(headFile(), 'utf8').trimEnd().split('\n')).join('\n')}\n`)

describe('what somebody does to the database', () => {
  it.each<[string, string, string[]]>([
    [
      'one changed',
      `UPDATE records SET json = replace(json, '"pass"', '"deny"') WHERE seq = 4`,
      ['record 4 was changed, or does not follow record 3'],
    ],
    [
      'one changed by a letter of its text',
      `UPDATE records SET json = json || ' ' WHERE seq = 4`,
      ['record 4 was changed, or does not follow record 3'],
    ],
    [
      'something put behind its end',
      `UPDATE records SET json = json || char(0) || 'evil' WHERE seq = 4`,
      ['record 4 was changed, or does not follow record 3'],
    ],
    [
      'one made bytes',
      'UPDATE records SET json = CAST(json AS BLOB) WHERE seq = 4',
      ['record 4 was changed, or does not follow record 3'],
    ],
    ['one removed', 'DELETE FROM records WHERE seq = 4', ['record 4 is missing']],
    [
      'some removed in two places',
      'DELETE FROM records WHERE seq IN (2, 3, 7)',
      ['records 2 to 3 are missing', 'record 7 is missing'],
    ],
    [
      'two exchanged',
      `UPDATE records SET seq = 99 WHERE seq = 4; UPDATE records SET seq = 4 WHERE seq = 7; UPDATE records SET seq = 7 WHERE seq = 99`,
      ['record 7 is in the place of record 4', 'record 4 is in the place of record 7'],
    ],
    [
      'three turned round',
      `UPDATE records SET seq = 99 WHERE seq = 4; UPDATE records SET seq = 4 WHERE seq = 5;
       UPDATE records SET seq = 5 WHERE seq = 6; UPDATE records SET seq = 6 WHERE seq = 99`,
      [
        'record 5 is in the place of record 4',
        'record 6 is in the place of record 5',
        'record 4 is in the place of record 6',
      ],
    ],
    ['the last cut off', 'DELETE FROM records WHERE seq = 10', ['record 10 was removed']],
    ['the end cut off', 'DELETE FROM records WHERE seq > 7', ['records 8 to 10 were removed']],
    ['all cut off', 'DELETE FROM records', ['records 1 to 10 were removed']],
    [
      'one removed and the others moved up',
      'DELETE FROM records WHERE seq = 9; UPDATE records SET seq = 9 WHERE seq = 10',
      ['record 9 was changed, or does not follow record 8', 'record 10 was removed'],
    ],
    [
      'one put in again at the end',
      'INSERT INTO records SELECT 11, json, hash, reply FROM records WHERE seq = 3',
      [
        'record 11 was changed, or does not follow record 10',
        'the file `audit-head` ends at record 10: later records are unverified',
      ],
    ],
    [
      'the beginning hidden',
      `INSERT INTO meta VALUES ('anchor', '{"seq":2,"hash":"x"}')`,
      expect.arrayContaining(['records up to 2 are missing, and no record says why']),
    ],
  ])('%s', (_, text, told) => {
    fill(10)
    sql(text)
    expect(problems()).toEqual(told)
  })

  it('a record changed, and every hash after it counted anew', () => {
    fill(10)
    rewrite(4)
    expect(problems()).toEqual([4, 5, 6, 7, 8, 9, 10].map(seq => `record ${seq} was changed`))
  })

  it('one removed and the next one changed', () => {
    fill(10)
    sql(`DELETE FROM records WHERE seq = 4; UPDATE records SET json = replace(json, '"pass"', '"deny"') WHERE seq = 5`)
    expect(problems()).toEqual(['record 4 is missing', 'record 5 was changed, or does not follow record 4'])
  })

  it.each([1, 64])('%i put in at the end, with right hashes; also when more has happened since', many => {
    fill(10)
    append(many)
    expect(problems()).toEqual(['the file `audit-head` ends at record 10: later records are unverified'])
    fill(3)
    const told =
      many === 1
        ? 'record 11 was not announced in the file `audit-head`: unverified'
        : 'records 11 to 74 were not announced in the file `audit-head`: unverified'
    expect(verifyAuditLog(ground.state)).toMatchObject({ problems: [{ seq: 11, problem: told }], intactUpTo: 10 })
    // and for as long as there are records
    fill(520)
    expect(problems()).toEqual([told])
  })

  it('the last one replaced by another with a right hash; also when more has happened since', () => {
    fill(10)
    sql('DELETE FROM records WHERE seq = 10')
    append(1)
    expect(problems()).toEqual(['record 10 was changed'])
    fill(520)
    expect(problems()).toContain('record 10 was not announced in the file `audit-head`: unverified')
  })

  it('the beginning removed, with a record of retention that nobody of us wrote', () => {
    fill(10)
    const fifth = ground.store().records({ after: 4, most: 1 })[0]
    const anchor = { seq: 5, hash: fifth?.hash ?? '' }
    append(1, {
      ...createStoreRecord('audit.retention', NOW, 'records up to 5 were removed by the retention setting', anchor),
    })
    sql(`DELETE FROM records WHERE seq <= 5; INSERT INTO meta VALUES ('anchor', '${JSON.stringify(anchor)}')`)
    expect(problems()).toEqual([
      'records up to 5 are missing, and no record says why',
      'the file `audit-head` ends at record 10: later records are unverified',
    ])
    fill(1)
    expect(problems()).toEqual([
      expect.stringMatching(/^record 11 was not announced/),
      'records up to 5 are missing, and no record says why',
    ])
    expect(verifyAuditLog(ground.state)?.intactUpTo).toBeUndefined()
  })

  describe('in a long trail, of which not every hash is known outside', () => {
    beforeEach(() => fill(1200))

    it('a record changed, and every hash after it counted anew: it is one of those since the last that is known', () => {
      rewrite(700)
      const { problems: flaws = [], intactUpTo } = verifyAuditLog(ground.state) ?? {}
      expect(flaws.length).toBe(1)
      const [, from, to] = /^one of the records (\d+) to (\d+) was changed/.exec(flaws[0]?.problem ?? '') ?? []
      expect({ first: flaws[0]?.seq, fine: intactUpTo }).toEqual({ first: Number(from), fine: Number(from) - 1 })
      expect([Number(from) <= 700, Number(to) >= 700, Number(to) - Number(from) <= 600]).toEqual([true, true, true])
    })

    it('the same up to a later one: what stands before that is not fine', () => {
      rewrite(700, 900)
      const { problems: flaws = [], intactUpTo = 0 } = verifyAuditLog(ground.state) ?? {}
      expect(flaws[0]?.problem).toBe('record 900 was changed, or does not follow record 899')
      expect([intactUpTo < 700, intactUpTo > 400]).toEqual([true, true])
    })

    it('one removed and the next one changed: nobody can tell', () => {
      sql(
        `DELETE FROM records WHERE seq = 700; UPDATE records SET json = replace(json, '"pass"', '"deny"') WHERE seq = 701`,
      )
      expect(problems()).toEqual(['record 700 is missing, so record 701 cannot be verified'])
    })
  })

  it.each(['records', 'meta'])('the table `%s` taken out', table => {
    fill(3)
    sql(`DROP TABLE ${table}`)
    expect(problems()).toEqual([expect.stringMatching(/signalbox\.db is damaged.*where 3 records were/)])
  })

  it('the file removed, emptied, or another put in its place', () => {
    fill(3)
    for (const part of ['', '-wal', '-shm']) rmSync(ground.file(`signalbox.db${part}`), { force: true })
    expect(problems()).toEqual(['the database is missing, with 3 records'])
    writeFileSync(ground.file(), 'no database at all, but long enough to be looked at as if it were one of them')
    expect(problems()).toEqual([expect.stringMatching(/is damaged/)])
    expect(existsSync(ground.file())).toBe(true)
    // and it stays told when there is another one
    fill(2)
    expect(problems()).toEqual(['records up to 3 were in an earlier database, as record 4 says'])
  })
})

describe('what somebody does to the head', () => {
  it.each<[string, () => void, string[]]>([
    ['removed', () => rmSync(headFile()), ['the file `audit-head` is missing']],
    ['emptied', () => writeFileSync(headFile(), ''), ['the file `audit-head` is missing']],
    [
      'another hash',
      () => editHead(lines => [...lines.slice(0, -1), `100 ${'a'.repeat(64)}`]),
      ['record 100 was changed'],
    ],
    [
      'a number that never was',
      () => editHead(lines => [...lines, `200 ${'a'.repeat(64)}`]),
      ['records 101 to 200 were removed'],
    ],
    [
      'an earlier line changed',
      () => editHead(lines => lines.map(line => (line.startsWith('40 ') ? `40 ${'b'.repeat(64)}` : line))),
      ['record 40 was changed'],
    ],
    [
      'cut short',
      () => editHead(lines => lines.slice(0, 40)),
      ['the file `audit-head` ends at record 20: later records are unverified'],
    ],
  ])('%s', (_, edit, told) => {
    fill(100)
    edit()
    expect(problems()).toEqual(told)
  })

  it.each([
    ['in the middle of a number', (text: string) => text.indexOf('\n+21 ') + 3],
    ['in the middle of a hash', (text: string) => text.indexOf('\n+21 ') + 30],
    ['in the middle of a commit', (text: string) => text.indexOf('\n20 ') + 10],
    ['before the end of a line', (text: string) => text.indexOf('\n+21 ')],
    ['behind the end of a line', (text: string) => text.indexOf('\n+21 ') + 1],
    ['by half', (text: string) => text.length / 2],
  ])('cut %s: it stays told when more has happened since', (_, at) => {
    fill(30)
    const text = readFileSync(headFile(), 'utf8')
    writeFileSync(headFile(), text.slice(0, at(text)))
    expect(problems()).not.toEqual([])
    for (const more of [1, 3, 520]) {
      fill(more)
      expect(problems()).toEqual([
        expect.stringMatching(/^records \d+ to 30 were not announced in the file `audit-head`/),
      ])
    }
  })

  it('cut anywhere within its last line, and the last record removed', () => {
    fill(12)
    const text = readFileSync(headFile(), 'utf8')
    const begins = text.lastIndexOf('\n12 ') + 1
    sql('CREATE TABLE kept AS SELECT * FROM records WHERE seq = 12; DELETE FROM records WHERE seq = 12')
    for (let at = begins + 1; at <= text.length; at++) {
      writeFileSync(headFile(), text.slice(0, at))
      expect({ at, told: problems() }).toEqual({ at, told: ['record 12 was removed'] })
    }
    sql('INSERT INTO records SELECT * FROM kept; DROP TABLE kept')
    for (let at = begins; at <= text.length; at++) {
      writeFileSync(headFile(), text.slice(0, at))
      expect({ at, told: problems() }).toEqual({ at, told: [] })
    }
  })

  it.each([1, 9, 30, 67, 68])('cut after %i characters of its last line, the record removed: it stays told', length => {
    fill(12)
    const text = readFileSync(headFile(), 'utf8')
    writeFileSync(headFile(), text.slice(0, text.lastIndexOf('\n12 ') + 1 + length))
    sql('DELETE FROM records WHERE seq = 12')
    for (const more of [1, 3, 520]) {
      fill(more)
      expect(problems()).toEqual(['record 12 was written twice: an earlier one was removed'])
    }
  })

  it('cut by its whole last line, the record removed: as after a killed writer, and a note stays', () => {
    fill(12)
    editHead(lines => lines.slice(0, -1))
    sql('DELETE FROM records WHERE seq = 12')
    expect(verifyAuditLog(ground.state)).toMatchObject({ ok: true, announcedButMissing: [12] })
    for (const more of [1, 3, 520, 600]) {
      fill(more)
      expect(verifyAuditLog(ground.state)).toMatchObject({ ok: true, announcedButMissing: [12] })
    }
  })

  it.each([1, 2, 20, 60])(
    'cut after %i characters of its last announcement, the record removed: a note stays',
    length => {
      fill(12)
      const text = readFileSync(headFile(), 'utf8')
      writeFileSync(headFile(), text.slice(0, text.lastIndexOf('\n+12 ') + 1 + length))
      sql('DELETE FROM records WHERE seq = 12')
      for (const more of [0, 1, 520]) {
        fill(more)
        expect(verifyAuditLog(ground.state)).toMatchObject({ ok: true, announcedButMissing: [12] })
      }
    },
  )

  it('emptied, and the end cut off; also when more has happened since', () => {
    fill(30)
    writeFileSync(headFile(), '')
    sql('DELETE FROM records WHERE seq > 20')
    fill(2)
    expect(problems()).toEqual(['the file `audit-head` was removed before record 21'])
    fill(520)
    expect(problems()).toEqual(['the file `audit-head` was removed before record 21'])
  })

  it('cut together with the records: whoever was sent them still knows', () => {
    fill(10)
    const last = ground.store().records({ last: 1 })[0]
    writeExportPosition(ground.state, '0123456789abcdef', {
      seq: 10,
      hash: last?.hash ?? '',
      to: 'http://c.example',
      at: NOW,
    })
    expect(verifyAuditLog(ground.state)?.ok).toBe(true)
    sql('DELETE FROM records WHERE seq > 7')
    editHead(lines => lines.slice(0, 14))
    expect(problems()).toEqual(['record 10 was removed: it was sent to http://c.example'])
  })

  it('all of it written anew: whoever was sent one of them still knows', () => {
    fill(10)
    const sixth = ground.store().records({ after: 5, most: 1 })[0]
    writeExportPosition(ground.state, '0123456789abcdef', {
      seq: 6,
      hash: sixth?.hash ?? '',
      to: 'http://c.example',
      at: NOW,
    })
    rewrite(4)
    writeFileSync(headFile(), `10 ${ground.store().records({ last: 1 })[0]?.hash}\n`)
    expect(problems()).toEqual(['record 6 was changed: it was sent to http://c.example, with another hash'])
    expect(verifyAuditLog(ground.state)?.intactUpTo).toBeUndefined()
  })
})

describe('after retention', () => {
  const DAY = 86_400_000
  const sweep = () => {
    fill(100)
    fill(30, NOW + 91 * DAY)
  }

  it('the rest is whole', () => {
    sweep()
    expect(verifyAuditLog(ground.state)).toEqual({ ok: true, records: 31, from: 100, to: 131, problems: [] })
  })

  it.each<[string, string, string[]]>([
    ['more taken away', 'DELETE FROM records WHERE seq <= 105', ['records 101 to 105 are missing']],
    [
      'more taken away, and the beginning moved',
      `DELETE FROM records WHERE seq < 105;
       UPDATE meta SET value = (SELECT json_object('seq', seq, 'hash', hash) FROM records WHERE seq = 105) WHERE name = 'anchor';
       DELETE FROM records WHERE seq = 105`,
      ['records up to 105 are missing, and no record says why'],
    ],
    [
      'a record changed',
      `UPDATE records SET json = replace(json, '"pass"', '"deny"') WHERE seq = 110`,
      ['record 110 was changed, or does not follow record 109'],
    ],
    ['the end cut off', 'DELETE FROM records WHERE seq > 129', ['records 130 to 131 were removed']],
    [
      'the word of it taken away',
      `DELETE FROM meta WHERE name = 'anchor'`,
      expect.arrayContaining(['records 1 to 100 are missing']),
    ],
  ])('%s', (_, text, told) => {
    sweep()
    sql(text)
    expect(problems()).toEqual(told)
  })

  it('what was not sent yet is kept beyond its age, and let go of when there is no room, which is said', () => {
    fill(100)
    const link = ground.store().records({ after: 39, most: 1 })[0]
    const mark = { seq: 40, hash: link?.hash ?? '', to: 'http://c.example', at: NOW + 90 * DAY }
    writeExportPosition(ground.state, '0123456789abcdef', mark)
    fill(30, NOW + 91 * DAY)
    expect(verifyAuditLog(ground.state)).toMatchObject({ ok: true, from: 40 })
    write(
      ground.state,
      Array.from({ length: 70 }, () => ({ at: NOW + 91 * DAY })),
      { days: 90, bytes: 1 },
    )
    const note = ground
      .store()
      .records({ last: 80 })
      .flatMap(({ record }) => record.notes)
      .at(-1)
    expect(note).toMatch(
      /^records up to \d+ were removed by the retention setting; those from 41 on were never sent to http:\/\/c\.example$/,
    )
    expect(verifyAuditLog(ground.state)?.ok).toBe(true)
  })

  it('an export that nobody runs any more holds nothing up', () => {
    fill(100)
    writeExportPosition(ground.state, '0123456789abcdef', { seq: 0, hash: '', to: 'http://c.example', at: NOW })
    fill(30, NOW + 91 * DAY)
    expect(verifyAuditLog(ground.state)).toMatchObject({ ok: true, from: 100 })
  })
})

describe('signalbox audit verify', () => {
  let stage: Stage
  beforeEach(() => {
    stage = new Stage()
  })
  afterEach(() => stage.end())
  const run = async (...args: string[]) => [
    await stage.run(['audit', 'verify', ...args], { env: { SIGNALBOX_HOME: ground.folder, NO_COLOR: '1' } }),
    stage.said,
  ]

  it('says that all is well, and makes nothing', async () => {
    expect(await run()).toEqual([0, 'OK  nothing is recorded yet\n'])
    expect(existsSync(ground.state)).toBe(false)
    fill(3)
    expect(await run()).toEqual([
      0,
      expect.stringMatching(/^OK {2}3 records, 1 to 3: unchanged, none missing, 0\.\d s\n$/),
    ])
  })

  it('says which, and what to do', async () => {
    fill(10)
    sql('DELETE FROM records WHERE seq = 4')
    const [code, said] = await run()
    expect(code).toBe(1)
    expect(said).toMatch(
      /^BROKEN {2}the audit log was changed: 1 problem\n {2}record 4 is missing\nIntact {2}all records before record 4\nFirst {2}copy /,
    )
    expect(said).toContain('Next  signalbox log')
  })

  it('says in colour how it went', async () => {
    fill(3)
    await stage.run(['audit', 'verify'], { env: { SIGNALBOX_HOME: ground.folder } })
    expect(stage.said).toContain('\u001b[32mOK\u001b[39m  3 records')
    sql('DELETE FROM records WHERE seq = 2')
    await stage.run(['audit', 'verify'], { env: { SIGNALBOX_HOME: ground.folder } })
    expect(stage.said).toContain('\u001b[31mBROKEN\u001b[39m  ')
  })

  it('says it to programs', async () => {
    fill(10)
    sql('DELETE FROM records WHERE seq = 4')
    const [code, said] = await run('--json')
    const problems = [{ seq: 4, problem: 'record 4 is missing' }]
    expect([code, JSON.parse(String(said))]).toEqual([
      1,
      { ok: false, records: 9, first: 1, last: 10, problems, intactUpTo: 3, ms: expect.any(Number) },
    ])
  })
})
