import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { StaticFiles } from '../../src/app/dashboard/server/static-files.ts'
import { type Sandbox, withSandbox } from '../support/sandbox.ts'
import { login, type Sent, send, Visitor } from './dashboard-visitor.ts'
import { type Opened, ui, withDashboard } from './open-dashboard.ts'

const API = [
  'situation',
  'overview',
  'decisions',
  'decisions/1',
  'stream',
  'sessions',
  'gates',
  'policy',
  'proof',
  'nothing',
]

describe('the door', { timeout: 60_000 }, () => {
  it('lets in who has the token, once, with a cookie and a key; and nobody else', () =>
    withDashboard(async ({ daemon, visitor, url }) => {
      const { port, cookie, key } = visitor
      const status = async (headers: Record<string, string>, path = 'situation') =>
        (await send(port, { path: `/api/${path}`, headers })).status
      for (const path of API) expect([path, await status({}, path)]).toEqual([path, 401])
      expect(await status({ Cookie: cookie })).toBe(401)
      expect(await status({ 'X-Signalbox-Key': key })).toBe(401)
      expect(await status({ Cookie: cookie, 'X-Signalbox-Key': key })).toBe(200)
      expect(await status({ Cookie: `a=b; ${cookie}; c=d` }, `situation?key=${key}`)).toBe(200)
      expect(await status({ Cookie: cookie, 'X-Signalbox-Key': cookie.split('=')[1] ?? '' })).toBe(401)
      expect(await status({ Cookie: cookie.slice(0, -2), 'X-Signalbox-Key': key })).toBe(401)
      // it was used
      const token = new URL(url).hash.slice('#token='.length)
      expect(token).toMatch(/^[\w-]{43}$/)
      const again = await login(port, token)
      expect([again.status, JSON.parse(again.text)]).toEqual([
        401,
        { error: 'the login token is wrong or already used', help: 'run `signalbox ui` again' },
      ])
      for (const wrong of ['', 'x', token.slice(1), `${token}=`, 'a'.repeat(100_000)])
        expect((await login(port, wrong)).status).toBe(401)
      // another browser, with another
      const second = await Visitor.enter((await ui(daemon)).url)
      expect(await second.get('/api/situation')).toMatchObject({ server: { daemon: true } })
      expect((await second.send('/api/situation', { headers: { 'X-Signalbox-Key': key } })).status).toBe(401)
      expect(await status({ Cookie: cookie, 'X-Signalbox-Key': key })).toBe(200)
    }))

  it('is asked by names of this machine and from its own pages only', () =>
    withDashboard(async ({ visitor }) => {
      const { port } = visitor
      const status = async (headers: Record<string, string>, sent: Partial<Sent> = {}) =>
        (await visitor.send(sent.path ?? '/api/situation', { ...sent, headers })).status
      for (const host of [
        `evil.example:${port}`,
        '127.0.0.1',
        `127.0.0.1:${port + 1}`,
        `127.0.0.1.evil.example:${port}`,
        `127.0.0.2:${port}`,
      ]) {
        expect([host, await status({ Host: host })]).toEqual([host, 403])
        expect([host, await status({ Host: host }, { path: '/' })]).toEqual([host, 403])
      }
      for (const host of [`localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`])
        expect([host, await status({ Host: host, Origin: `http://${host}` })]).toEqual([host, 200])
      const foreign = [
        'null',
        'http://evil.example',
        `https://127.0.0.1:${port}`,
        `http://127.0.0.1:${port + 1}`,
        `http://127.0.0.1:${port}.evil`,
      ]
      for (const origin of foreign)
        for (const path of ['/api/situation', '/api/stream'])
          expect([origin, path, await status({ Origin: origin }, { path })]).toEqual([origin, path, 403])
      for (const site of ['cross-site', 'same-site', 'none'])
        expect([site, await status({ 'Sec-Fetch-Site': site })]).toEqual([site, 403])
      const judge = { path: '/api/judge', method: 'POST', body: '{"client":"generic","event":"ls"}' }
      const { Origin: _, ...bare } = visitor.headers
      const json = { 'Content-Type': 'application/json' }
      expect((await send(port, { ...judge, headers: { ...bare, ...json } })).status).toBe(403)
      expect(await status(json, judge)).toBe(200)
      expect(await status({ 'Content-Type': 'text/plain' }, judge)).toBe(415)
      expect(await status({}, { path: '/api/situation', method: 'DELETE' })).toBe(405)
      expect(await status({}, { path: '/api/situation', method: 'OPTIONS' })).toBe(405)
      expect(await status(json, { path: '/api/decisions', method: 'POST', body: '{}' })).toBe(405)
      expect(await status({}, { path: '/api/nothing' })).toBe(404)
    }))

  it('every answer says what a page may do, and none that others may read it', () =>
    withDashboard(async ({ visitor }) => {
      const answers = [
        await visitor.send('/api/situation'),
        await visitor.send('/'),
        await visitor.send('/api/nothing'),
        await send(visitor.port, { path: '/api/situation' }),
        await send(visitor.port, { path: '/', headers: { Host: 'evil.example' } }),
      ]
      for (const { headers } of answers) {
        const policy = String(headers['content-security-policy'])
        expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /)
        expect(policy).toContain("frame-ancestors 'none'")
        expect(policy).not.toMatch(/unsafe|data:|style-src-elem/)
        expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
        expect(Object.keys(headers).filter(name => name.startsWith('access-control'))).toEqual([])
      }
      const [situation, page] = answers
      expect(situation?.headers['cache-control']).toBe('no-store')
      expect(page?.headers['content-type']).toBe('text/html; charset=utf-8')
      const cookie = String((await login(visitor.port, 'x')).headers['set-cookie'])
      expect(cookie).toBe('undefined')
    }))

  it('says what is wrong with a request that is none, and goes on', () =>
    withDashboard(async ({ visitor }) => {
      const post = (body: string, path = '/api/judge') =>
        visitor.send(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
      expect((await post('{')).status).toBe(400)
      expect((await post('[]')).status).toBe(400)
      expect((await post(JSON.stringify({ event: 'x'.repeat(2 << 20) }))).status).toBe(413)
      expect((await post('[]', '/api/login')).status).toBe(401)
      const bad = [
        'decisions?limit=x',
        'decisions?limit=0',
        'decisions?before=-1',
        'decisions?limit=1&limit=2',
        'decisions?decision=no',
      ]
      const more = [
        'decisions?since=soon',
        'overview?since=soon',
        'decisions/x',
        'decisions/1e3',
        'gates/%E0%A4%A',
        'situation?project=rel',
      ]
      for (const path of [...bad, ...more]) {
        const { status, text } = await visitor.send(`/api/${path}`)
        expect([path, status, typeof JSON.parse(text).error]).toEqual([path, 400, 'string'])
      }
      for (const path of ['decisions/99', 'sessions/a/b', 'gates/project%2Fnone'])
        expect([path, (await visitor.send(`/api/${path}`)).status]).toEqual([path, 404])
      expect((await visitor.send(`/api/decisions?text=${'x'.repeat(5000)}`)).status).toBe(414)
      for (const bytes of [
        '\0\0\0\n\n',
        'GET\r\n\r\n',
        `GET / HTTP/1.1\r\n${'a: b\r\n'.repeat(5000)}\r\n`,
        `GET / HTTP/1.1\r\nHost: 127.0.0.1:${visitor.port}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
        `GET / HTTP/1.1\r\nHost: 127.0.0.1:${visitor.port}\r\nhost: 127.0.0.1:${visitor.port}\r\nConnection: close\r\n\r\n`,
        'GET http://[ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      ])
        expect(await raw(visitor.port, bytes)).toMatch(/^HTTP\/1\.1 4\d\d /)
      expect((await visitor.send('/api/situation')).status).toBe(200)
    }))

  it('the token is in no log, no list of processes, and no file that others can read', () =>
    withDashboard(async ({ daemon, sandbox, url }) => {
      const { url: next } = await ui(daemon)
      const tokens = [url, next].map(one => new URL(one).hash.slice('#token='.length))
      const run = join(sandbox.home, 'state/run')
      expect((statSync(run).mode & 0o777).toString(8)).toBe('700')
      expect((statSync(join(run, 'dashboard')).mode & 0o777).toString(8)).toBe('600')
      const holding = (folder: string): readonly string[] =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => {
          const file = join(folder, name)
          return statSync(file).isFile() && tokens.some(token => readFileSync(file, 'latin1').includes(token))
        })
      // the next one only: `signalbox ui` reads it there
      expect(holding(sandbox.home)).toEqual(['state/run/dashboard'])
      expect(readFileSync(join(run, 'dashboard'), 'utf8')).not.toContain(tokens[0])
      const processes = execFileSync('ps', ['axeww', '-o', 'args'], { encoding: 'utf8' })
      expect(tokens.filter(token => processes.includes(token))).toEqual([])
    }))

  it.skipIf(process.getuid?.() !== 0)('another user of this machine gets nothing', () =>
    withDashboard(async ({ visitor, sandbox }: Opened) => {
      const asNobody = (script: string) =>
        spawnSync(process.execPath, ['-e', script], { uid: 65_534, gid: 65_534, encoding: 'utf8', env: {} })
      const status = (path: string) =>
        asNobody(`fetch('http://127.0.0.1:${visitor.port}${path}').then(a => console.log(a.status))`).stdout.trim()
      expect([status('/'), status('/api/situation'), status('/api/stream')]).toEqual(['200', '401', '401'])
      const files = ['run/dashboard', 'run/token', 'signalbox.db', 'stats.db', 'lookup.db'].map(name =>
        join(sandbox.home, 'state', name),
      )
      for (const file of files)
        expect([file, asNobody(`require('fs').readFileSync(${JSON.stringify(file)})`).stderr]).toEqual([
          file,
          expect.stringContaining('EACCES'),
        ])
    }),
  )
})

describe('the files of the pages', () => {
  it('are those of the folder, whatever the path says', () =>
    withSandbox({}, async ({ folder }: Sandbox) => {
      const pages = join(folder, 'ui')
      mkdirSync(join(pages, 'assets'), { recursive: true })
      writeFileSync(join(folder, 'secret.txt'), 'secret')
      writeFileSync(join(pages, 'index.html'), 'index')
      writeFileSync(join(pages, 'assets/a-1.js'), 'script')
      const files = new StaticFiles(pages)
      const text = (path: string) => files.find(path)?.bytes.toString()
      expect(['/', '/sessions/x', '/gates', '/index.html'].map(text)).toEqual(Array(4).fill('index'))
      expect(files.find('/assets/a-1.js')).toMatchObject({ type: 'text/javascript; charset=utf-8', lasts: true })
      const out = [
        '/../secret.txt',
        '/assets/../../secret.txt',
        '//etc/passwd.x',
        '/%2e%2e/secret.txt',
        '/assets/a-2.js',
        '/assets/..\\..\\secret.txt',
      ]
      for (const path of out) expect([path, text(path)]).toEqual([path, undefined])
      expect(['/..', '/../..', '/assets/..'].map(text)).toEqual([undefined, undefined, undefined])
    }))
})

/** As it is, and what comes back. */
function raw(port: number, bytes: string): Promise<string> {
  return new Promise(done => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.setEncoding('utf8').on('data', chunk => {
      text += chunk
    })
    socket.on('error', () => {}).on('close', () => done(text))
    socket.setTimeout(8000, () => socket.destroy())
  })
}
