import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { request } from 'node:http'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { StatsDatabase } from '../../src/audit/stats/index.ts'
import { parseMetricsAddress } from '../../src/hook/daemon/metrics-server.ts'
import { type Running, until, withDaemon } from '../support/daemon.ts'
import { parseExposition } from '../support/store/prometheus-text.ts'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}

function get(port: number, { method = 'GET', path = '/metrics', host = `127.0.0.1:${port}` } = {}) {
  return new Promise<{ status: number; text: string; type: string }>((done, fail) => {
    const asked = request({ host: '127.0.0.1', port, method, path, headers: { Host: host } }, response => {
      let text = ''
      response.setEncoding('utf8').on('data', chunk => {
        text += chunk
      })
      response.on('end', () =>
        done({ status: response.statusCode ?? 0, text, type: response.headers['content-type'] ?? '' }),
      )
    })
    asked.on('error', fail).end()
  })
}

const events = (text: string): number =>
  (parseExposition(text).get('signalbox_events_total')?.samples ?? []).reduce((sum, one) => sum + one.value, 0)
const denied = (text: string): number | undefined =>
  parseExposition(text)
    .get('signalbox_decisions_total')
    ?.samples.find(one => one.labels.gate === 'project/no-commit' && one.labels.decision === 'deny')?.value
const listens = (daemon: Running) => until(() => daemon.log.includes('metrics at http://'))

describe('/metrics', { timeout: 60_000 }, () => {
  it('tells what was decided, up to date, and goes on where it was with the next daemon', () =>
    withDaemon(async daemon => {
      const port = await freePort()
      await daemon.start({ SIGNALBOX_METRICS: `127.0.0.1:${port}` })
      await listens(daemon)
      expect(events((await get(port)).text)).toBe(0)
      await daemon.call('git commit -m x')
      await daemon.call('ls')
      const { status, text, type } = await get(port)
      expect([status, type, events(text), denied(text)]).toEqual([
        200,
        'text/plain; version=0.0.4; charset=utf-8',
        2,
        1,
      ])
      const command = await daemon.sandbox.run(['stats', '--prometheus'])
      expect(command.stdout).toBe(text)
      // kill, and another one
      await daemon.end()
      await daemon.start({ SIGNALBOX_METRICS: `127.0.0.1:${port}` })
      await until(() => daemon.log.split('metrics at http://').length === 3)
      await daemon.call('git commit -m y')
      expect(denied((await get(port)).text)).toBe(2)
    }))

  it('answers GET of /metrics by a name of this machine, and nothing else; who is slow is shown out', () =>
    withDaemon(async daemon => {
      const port = await freePort()
      await daemon.start({ SIGNALBOX_METRICS: `127.0.0.1:${port}` })
      await listens(daemon)
      const status = async (how: Parameters<typeof get>[1]) => (await get(port, how)).status
      expect(await status({ method: 'POST' })).toBe(405)
      expect(await status({ path: '/' })).toBe(404)
      expect(await status({ path: '/metrics?x=1' })).toBe(200)
      expect(await status({ host: `evil.example:${port}` })).toBe(403)
      expect(await status({ host: `localhost:${port}` })).toBe(200)
      // more than may be at once, saying nothing
      const silent = Array.from({ length: 12 }, () => connect(port, '127.0.0.1').on('error', () => {}))
      const began = Date.now()
      expect(await daemon.call('git commit -m x')).toMatchObject({ status: 0 })
      expect(Date.now() - began).toBeLessThan(2000)
      await Promise.all(silent.map(socket => (socket.destroyed ? undefined : once(socket.resume(), 'close'))))
      expect(await status({})).toBe(200)
    }))

  it('is off unless somebody says so, follows what is said, and refuses an address that others reach', () =>
    withDaemon(async daemon => {
      const port = await freePort()
      await daemon.start()
      const start = (address: string) => daemon.sandbox.run(['daemon', 'start', '--metrics', address])
      await expect(get(port)).rejects.toThrow()
      const wrong = await start(`0.0.0.0:${port}`)
      expect([wrong.exitCode, wrong.stderr]).toEqual([
        2,
        expect.stringContaining('`0.0.0.0` can be reached from other machines'),
      ])
      expect((await start(`127.0.0.1:${port}`)).exitCode).toBe(0)
      await listens(daemon)
      expect((await get(port)).status).toBe(200)
      const told = await daemon.sandbox.run(['daemon', 'status'])
      expect(told.stdout).toContain(`  metrics   http://127.0.0.1:${port}/metrics\n`)
      expect((await start('off')).exitCode).toBe(0)
      expect((await daemon.sandbox.run(['daemon', 'status', '--json'])).stdout).not.toContain('metrics')
      for (let left = 200; left > 0; left--) {
        const isThere = await get(port).then(
          () => true,
          () => false,
        )
        if (!isThere) break
        await new Promise(done => setTimeout(done, 20))
      }
      await expect(get(port)).rejects.toThrow()
      expect(await daemon.call('ls')).toMatchObject({ status: 0 })
    }))
})

it('an address that is taken is told to who asks for it, until it is free', { timeout: 60_000 }, () =>
  withDaemon(async daemon => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = other.address()
    const at = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
    await daemon.start()
    const start = () => daemon.sandbox.run(['daemon', 'start', '--metrics', at])
    const taken = await start()
    const why = `NOT SERVED at http://${at}/metrics: listen EADDRINUSE: address already in use ${at}; it tries again\n`
    expect(taken).toMatchObject({ exitCode: 1, stderr: `signalbox daemon start: metrics are ${why}` })
    expect((await daemon.sandbox.run(['daemon', 'status'])).stdout).toContain(`  metrics   ${why}`)
    other.close()
    await once(other, 'close')
    await until(() => daemon.log.includes('metrics at http://'))
    expect(await start()).toMatchObject({ exitCode: 0, stderr: '' })
  }),
)

describe('a daemon that is idle', { timeout: 60_000 }, () => {
  it('counts what was decided', () =>
    withDaemon(async daemon => {
      await daemon.start({ SIGNALBOX_DAEMON_QUIET_MS: '50' })
      await daemon.call('git commit -m x')
      await until(() => existsSync(join(daemon.state, 'stats.db')))
      const seq = () => {
        const book = StatsDatabase.open(daemon.state)
        const { position } = book
        book.close()
        return position?.seq
      }
      await until(() => seq() === 1)
      expect(daemon.log).not.toContain('could not be brought up to date')
    }))
})

it.each([
  ['9464', { host: '127.0.0.1', port: 9464 }],
  ['127.0.0.1:9464', { host: '127.0.0.1', port: 9464 }],
  ['[::1]:9464', { host: '::1', port: 9464 }],
  ['localhost:1', { host: 'localhost', port: 1 }],
  ['off', undefined],
  ['0.0.0.0:9464', expect.stringContaining('can be reached from other machines')],
  ['example.org:9464', expect.stringContaining('can be reached from other machines')],
  ['127.0.0.1:99999', expect.stringContaining('is not an address')],
  ['x', expect.stringContaining('is not an address')],
])('an address: %s', (text, expected) => expect(parseMetricsAddress(text)).toEqual(expected))
