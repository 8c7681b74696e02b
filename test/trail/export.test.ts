import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildOtlpRequest } from '../../src/audit/export/otlp.ts'
import { Shipment } from '../../src/audit/export/ship.ts'
import { parseCollector } from '../../src/audit/index.ts'
import { AuditLogReader, verifyAuditLog } from '../../src/store/index.ts'
import { openDriver } from '../../src/store/sqlite/driver.ts'
import { Stage } from '../support/in-process-command.ts'
import { denied, write } from '../support/store/audit-records.ts'
import { NOW, recordOf } from '../support/store/records.ts'
import { type Mood, Receiver } from './receiver.ts'

let stage: Stage
let receiver: Receiver
beforeEach(async () => {
  stage = new Stage()
  receiver = await new Receiver().open()
})
afterEach(async () => {
  await receiver.close()
  stage.end()
})

const state = () => join(stage.folder, 'state')
const fill = (many: number, more: object = {}) =>
  write(
    state(),
    Array.from({ length: many }, (_, nth) => ({ at: NOW + nth, turn: nth, ...more })),
  )
const env = () => ({ SIGNALBOX_HOME: stage.folder })
const run = async (args: readonly string[], more: Record<string, string> = {}) => {
  const code = await stage.run(['audit', 'export', ...args], { env: { ...env(), ...more } })
  return { code, said: stage.said }
}
const otlp = (...args: string[]) => run(['--format', 'otlp', '--endpoint', receiver.endpoint, ...args])
const upTo = (many: number, from = 1) => Array.from({ length: many - from + 1 }, (_, nth) => from + nth)
const seqs = () => receiver.taken.map(one => one.seq)

describe('jsonl', () => {
  it('is all of it, each event, with the filters of the log', async () => {
    fill(3, { event: 'prompt.submit' })
    write(state(), [denied('g', { at: NOW })])
    expect(
      (await run([])).said
        .trim()
        .split('\n')
        .map(line => JSON.parse(line).seq),
    ).toEqual([1, 2, 3, 4])
    expect(JSON.parse((await run(['--decision', 'deny'])).said)).toMatchObject({
      seq: 4,
      gate: 'project/g',
      policy: 'p',
    })
  })

  it('goes into a new file for this person only, and over no other', async () => {
    fill(2)
    expect(await run(['--output', 'out.jsonl'])).toEqual({ code: 0, said: '2 records in out.jsonl\n' })
    expect(statSync(stage.at('out.jsonl')).mode & 0o777).toBe(0o600)
    writeFileSync(stage.at('mine'), 'mine')
    const { code, said } = await run(['-o', 'mine'])
    expect([code, said, stage.text('mine')]).toEqual([2, expect.stringContaining('`mine` already exists'), 'mine'])
    for (const [file, why] of [
      ['no/such/out.jsonl', 'its folder does not exist'],
      ['mine/out.jsonl', 'its folder is a file'],
    ])
      expect(await run(['-o', file ?? ''])).toEqual({
        code: 2,
        said: `signalbox audit export: \`${file}\` cannot be created: ${why}\n`,
      })
  })
})

/** As RFC 4180 has it. */
function parsed(text: string): string[][] {
  const rows: string[][] = []
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/gy
  const row: string[] = []
  for (let found = cell.exec(text); found; found = cell.exec(text)) {
    const [, value = '', end] = found
    row.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value)
    if (end === '\r\n') rows.push(row.splice(0))
  }
  return rows
}

describe('csv', () => {
  it('says in which project it was and which subagent, last of all', async () => {
    write(state(), [{ at: NOW, root: '/home/me/shop', agent: 'a1' }, { at: NOW }])
    const [head = [], ...rows] = parsed((await run(['--format', 'csv'])).said)
    expect([head, ...rows].map(row => row.slice(-4, -2))).toEqual([
      ['root', 'agent'],
      ['/home/me/shop', 'a1'],
      ['', ''],
    ])
  })

  it('is read by whoever reads CSV, and is no formula', async () => {
    const acts = [
      '=cmd|"/c calc"!A1',
      '+1,2',
      '@SUM(A1)',
      '-x',
      '  =1',
      'a "quoted", text\nin two lines',
      '\t=1',
      'run ls',
    ]
    write(
      state(),
      acts.map(act => ({ at: NOW, acts: [act], session: '=x' })),
    )
    const { said } = await run(['--format', 'csv'])
    const [head = [], ...rows] = parsed(said)
    expect(rows.map(row => row.length)).toEqual(acts.map(() => head.length))
    expect(rows.map(row => row[head.indexOf('acts')])).toEqual([
      `'=cmd|"/c calc"!A1`,
      `'+1,2`,
      `'@SUM(A1)`,
      `'-x`,
      `'  =1`,
      'a "quoted", text\nin two lines',
      `'\t=1`,
      'run ls',
    ])
    expect(rows[0]?.[head.indexOf('session')]).toBe("'=x")
  })
})

describe('otlp', () => {
  it('is sent in batches, once, packed, and by the letter', async () => {
    fill(600)
    write(state(), [
      denied('g', { at: NOW, errors: ['e'], notes: ['n'], moves: [{ gate: 'g', from: 'open', to: 'closed' }] }),
    ])
    expect(await otlp()).toEqual({ code: 0, said: `601 records sent to ${receiver.endpoint}/v1/logs\n` })
    expect(seqs()).toEqual(upTo(601))
    expect(new Set(receiver.taken.map(one => one.uid)).size).toBe(601)
    expect(receiver.requests.map(({ path, records, headers }) => [path, records, headers['content-encoding']])).toEqual(
      [
        ['/v1/logs', 512, 'gzip'],
        ['/v1/logs', 89, 'gzip'],
      ],
    )
    expect(receiver.taken.at(-1)).toMatchObject({ body: 'DENY git status', severity: 17 })
    expect(receiver.faults).toEqual([])
    expect((await otlp()).said).toMatch(/^0 records/)
    fill(2)
    await otlp()
    expect(seqs()).toEqual(upTo(603))
  })

  it('says in which project it was, and which subagent', () => {
    const raw = (root?: string) => ({
      seq: 1,
      hash: 'h',
      json: JSON.stringify(recordOf({ at: NOW, ...(root && { root, agent: 'a1' }) })),
    })
    const sent = JSON.stringify(buildOtlpRequest([raw('/home/me/shop'), raw()], { attributes: {}, version: '0' }, NOW))
    expect(sent.match(/\{"key":"signalbox.(root|agent)","value":\{"stringValue":"[^"]*"\}\}/g)).toEqual([
      '{"key":"signalbox.root","value":{"stringValue":"/home/me/shop"}}',
      '{"key":"signalbox.agent","value":{"stringValue":"a1"}}',
    ])
  })

  it('tells of a record that cannot be read, and of half a character', async () => {
    fill(2, { acts: ['run \ud800'] })
    const driver = openDriver(join(state(), 'signalbox.db'))
    driver.exec(`UPDATE records SET json = '{' WHERE seq = 1`)
    driver.close()
    await otlp()
    expect(receiver.taken.map(one => one.body)).toEqual(['record 1 cannot be read', 'pass \ufffd'])
    expect(receiver.faults).toEqual([])
  })

  it('is configured as every exporter is, and tells no secret', async () => {
    fill(1)
    const settings = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.endpoint}/base/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'X-Key=a%20b,other=c',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'none',
    }
    expect((await run(['--format', 'otlp'], settings)).code).toBe(0)
    expect(receiver.requests[0]).toMatchObject({ path: '/base/v1/logs', headers: { 'x-key': 'a b', other: 'c' } })
    const login = receiver.endpoint.replace('//', '//me:hunter2@')
    const { said } = await run(['--format', 'otlp', '--endpoint', login])
    expect(receiver.requests[1]?.headers.authorization).toBe(`Basic ${Buffer.from('me:hunter2').toString('base64')}`)
    expect(said).not.toContain('hunter2')
    const kept = readdirSync(join(state(), 'exports')).map(name => readFileSync(join(state(), 'exports', name), 'utf8'))
    expect(kept.join('')).toMatch(/^\{"seq":1/)
    expect(kept.join('')).not.toContain('hunter2')
  })

  it.each<[string, string[], Record<string, string>, RegExp]>([
    ['nowhere', [], {}, /name the collector: --endpoint/],
    ['no address', ['--endpoint', 'ftp://u:secret@x'], {}, /`ftp:\/\/x` is not a URL/],
    ['a password with a /', ['--endpoint', 'http://u:hun/ter2@x:4318'], {}, /^[^\n]*`http:\/\/x:4318` is not a URL/],
    [
      'one that makes a host of the user',
      ['--endpoint', 'http://u:12/ter2@x'],
      {},
      /`http:\/\/x`: there is an @ after the first \/; write a \/ in a password as %2F/,
    ],
    ['a login and no more', ['--endpoint', 'u:hunter2@x:4318'], {}, /`x:4318` is not a URL/],
    ['a client that is none', ['--endpoint', 'http://x', '--client', 'nope'], {}, /unknown client `nope`; there are/],
    ['another protocol', ['--endpoint', 'http://x'], { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /only OTLP over HTTP/],
    [
      'headers that are none',
      ['--endpoint', 'http://x'],
      { OTEL_EXPORTER_OTLP_HEADERS: 'secret' },
      /HEADERS cannot be parsed: expected/,
    ],
    ['an end', ['--endpoint', 'http://x', '--until', '1d'], {}, /`--until` cannot be used with --format otlp/],
  ])('refuses %s', async (_, args, more, said) => {
    fill(1)
    const refused = await run(['--format', 'otlp', ...args], more)
    expect(refused).toEqual({ code: 2, said: expect.stringMatching(said) })
    expect(refused.said).not.toMatch(/ter2/)
  })

  /** In process, so that its pauses are short. */
  async function ship(moods: readonly Mood[], more: { stays?: boolean; timeoutMs?: number } = {}) {
    receiver.moods = [...moods]
    const collector = parseCollector(receiver.endpoint, {})
    if (typeof collector === 'string') throw new Error(collector)
    const said: string[] = []
    const { signal } = new AbortController()
    const how = { state: state(), filter: { all: true }, version: '1', stays: more.stays ?? false, signal, pauseMs: 2 }
    const timed = { ...collector, timeoutMs: more.timeoutMs ?? 2000 }
    const shipment = new Shipment({ ...how, collector: timed, log: line => void said.push(line) })
    const reader = AuditLogReader.open(state())
    if (!reader) throw new Error('no trail')
    try {
      return { delivery: await shipment.send(reader), said, shipment }
    } finally {
      reader.close()
    }
  }
  const later = (status: number, after?: string): Mood => ({
    status,
    ...(after && { headers: { 'retry-after': after } }),
  })

  it.each<[string, Mood[]]>([
    ['is overloaded', [later(503), later(429), later(502)]],
    ['says when', [later(429, '0'), later(503, new Date(0).toUTCString())]],
    ['cuts the line before it takes them', ['cuts before taking', 'cuts before taking']],
    ['cuts the line in the middle of its answer', ['cuts its answer', 'cuts its answer']],
    ['does not answer', ['hangs']],
    ['is hidden behind a page that wants somebody to sign in', [{ status: 200, body: '<html>sign in</html>' }]],
    ['takes nothing packed', [later(415)]],
  ])('loses nothing and sends nothing twice when the collector %s', async (_, moods) => {
    fill(5)
    const { delivery } = await ship(moods, { timeoutMs: 150 })
    expect(delivery).toEqual({ kind: 'sent' })
    expect(seqs()).toEqual([1, 2, 3, 4, 5])
    expect(receiver.faults).toEqual([])
  })

  it('sends again what may have been taken, under the same name', async () => {
    fill(2)
    await ship(['cuts after taking'])
    expect(receiver.taken.map(one => one.uid).slice(0, 2)).toEqual(receiver.taken.map(one => one.uid).slice(2))
  })

  it('sends less at once to whom it is too much', async () => {
    fill(40)
    const { delivery } = await ship([later(413), later(413)])
    expect([delivery, seqs()]).toEqual([{ kind: 'sent' }, upTo(40)])
    expect(receiver.requests.map(one => one.records).slice(0, 3)).toEqual([40, 20, 10])
  })

  it('leaves a record out that is too large alone, says which, and sends the others', async () => {
    fill(100)
    receiver.heavy = new Set([50, 100])
    const { delivery, shipment, said } = await ship([])
    expect([delivery, shipment.sent, shipment.rejected]).toEqual([{ kind: 'sent' }, 98, 2])
    expect(seqs()).toEqual(upTo(100).filter(seq => seq !== 50 && seq !== 100))
    expect(said).toEqual(
      [50, 100].map(seq => expect.stringMatching(`record ${seq} is too large for the collector: it was not sent`)),
    )
    receiver.heavy = new Set()
    fill(1)
    expect(await otlp()).toEqual({ code: 0, said: `1 record sent to ${receiver.endpoint}/v1/logs\n` })
  })

  it('leaves none out where everything is too large', async () => {
    fill(10)
    receiver.heavy = new Set(upTo(10))
    const { delivery, shipment } = await ship([])
    expect([delivery, shipment.sent, shipment.rejected]).toEqual([
      { kind: 'refused', why: 'records 1, 2, 3, 4 are each too large for the collector; nothing else was sent' },
      0,
      0,
    ])
    receiver.heavy = new Set()
    await otlp()
    expect(seqs()).toEqual(upTo(10))
  })

  it('does not send again what was not taken in part, and says so', async () => {
    fill(5)
    const body = JSON.stringify({ partialSuccess: { rejectedLogRecords: '2', errorMessage: 'too old\u001b' } })
    const { shipment, said } = await ship([{ status: 200, body }])
    expect([shipment.sent, shipment.rejected, receiver.requests.length]).toEqual([3, 2, 1])
    expect(said).toEqual([expect.stringMatching(/rejected 2 of 5: too old $/)])
  })

  it.each([401, 404, 400, 301])('stops at %i, and keeps what waits', async status => {
    fill(3)
    receiver.moods = [{ status, body: 'no\u001b[31m', headers: { location: 'http://elsewhere.example' } }]
    const { code, said } = await otlp()
    expect(code).toBe(2)
    expect(said).toMatch(new RegExp(`it answered ${status}: no \\[31m\n3 records not sent yet`))
    expect((await otlp()).code).toBe(0)
    expect(seqs()).toEqual([1, 2, 3])
  })

  it('is down for longer than we wait: nothing is lost, and the next run goes on', async () => {
    fill(3)
    await receiver.close()
    const { delivery } = await ship([])
    expect(delivery).toEqual({ kind: 'down', why: 'ECONNREFUSED' })
    fill(2)
    await receiver.open()
    await ship([])
    expect(seqs()).toEqual([1, 2, 3, 4, 5])
  })

  it('says what retention took away before it was sent', async () => {
    fill(100)
    await receiver.close()
    await ship([])
    write(
      state(),
      Array.from({ length: 70 }, () => ({ at: NOW })),
      { days: 90, bytes: 1 },
    )
    await receiver.open()
    const { shipment, said } = await ship([])
    expect(shipment.lost).toBeGreaterThan(5)
    expect(said[0]).toMatch(/^records 1 to \d+ were removed by retention before they were sent$/)
    expect(shipment.lost + receiver.taken.length).toBe(verifyAuditLog(state())?.to)
  })

  it('begins at a time the first time, and sends what is asked for', async () => {
    fill(10)
    await otlp('--since', new Date(NOW + 6).toISOString())
    expect(seqs()).toEqual([7, 8, 9, 10])
    write(state(), [denied('g', { at: NOW + 11 })])
    await otlp('--decision', 'deny')
    expect(seqs()).toEqual([7, 8, 9, 10, 11])
  })

  it('notices a trail that was begun anew', async () => {
    fill(5)
    await otlp()
    const driver = openDriver(join(state(), 'signalbox.db'))
    driver.exec('DELETE FROM records WHERE seq > 2')
    driver.close()
    expect((await otlp()).said).toMatch(/record 5 is not the last one that was sent:/)
  })
})
