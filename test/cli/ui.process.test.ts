import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findBrowserOpener, openInBrowser } from '../../src/app/cli/commands/dashboard/open-browser.ts'
import { queryDaemon } from '../../src/hook/daemon/index.ts'
import { login, Visitor } from '../dashboard/dashboard-visitor.ts'
import { isAlive, ui } from '../dashboard/open-dashboard.ts'
import { until, withDaemon } from '../support/daemon.ts'
import { BIN, type Sandbox, withSandbox } from '../support/sandbox.ts'

const ADDRESS = /^Dashboard {2}(http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43})\n/

describe('signalbox ui', { timeout: 60_000 }, () => {
  it('starts the daemon where there is none, and prints where to look; opens nothing without a screen', () =>
    withSandbox({}, async sandbox => {
      const state = join(sandbox.home, 'state')
      try {
        const { exitCode, stdout, stderr } = await sandbox.run(['ui'])
        expect([exitCode, stderr]).toEqual([0, ''])
        const [, url = ''] = ADDRESS.exec(stdout) ?? []
        expect(stdout).toContain('Open it in a browser on this machine.')
        expect(await (await Visitor.enter(url)).get('/api/situation')).toMatchObject({ project: sandbox.project })
        const { dashboard } = (await queryDaemon(state, 'status')) ?? {}
        expect(dashboard).toMatchObject({ pid: expect.any(Number) })
        // the same one, and another token
        const again = ADDRESS.exec((await sandbox.run(['ui', '--no-open'])).stdout)?.[1] ?? ''
        expect([new URL(again).port, again === url]).toEqual([new URL(url).port, false])
        expect(existsSync(join(state, 'run/open.html'))).toBe(false)
      } finally {
        await sandbox.run(['daemon', 'stop'])
      }
    }))

  it('at the port that is asked for; one that is taken, or none, is said', () =>
    withDaemon(async daemon => {
      await daemon.start()
      const taken = createServer().listen(0, '127.0.0.1')
      await once(taken, 'listening')
      const address = taken.address()
      const port = typeof address === 'object' && address ? address.port : 0
      const failed = await daemon.sandbox.run(['ui', '--json', '--port', String(port)])
      expect([failed.exitCode, failed.stdout, failed.stderr]).toEqual([
        2,
        '',
        `signalbox ui: the dashboard did not start; is port ${port} free?\n`,
      ])
      taken.close()
      await once(taken, 'close')
      const first = await ui(daemon)
      const second = await ui(daemon, '--port', String(port))
      expect([second.port, second.pid === first.pid]).toEqual([port, false])
      await until(() => !isAlive(first.pid))
      for (const wrong of ['0', '65536', 'x', '-1']) {
        const { exitCode, stderr } = await daemon.sandbox.run(['ui', `--port=${wrong}`])
        expect([exitCode, stderr]).toEqual([
          2,
          `signalbox ui: \`--port ${wrong}\`: expected a number from 1 to 65535\n`,
        ])
      }
    }))

  it('serves it itself where there is no daemon, and ends with its terminal', () =>
    withSandbox({}, async ({ home, project }: Sandbox) => {
      const env = { PATH: process.env.PATH, HOME: home, SIGNALBOX_HOME: home, SIGNALBOX_DAEMON: 'off' }
      const child: ChildProcess = spawn(process.execPath, [BIN, 'ui'], {
        cwd: project,
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      let said = ''
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        said += text
      })
      try {
        await until(() => said.includes('until you press Ctrl+C'))
        const [, url = ''] = ADDRESS.exec(said) ?? []
        const visitor = await Visitor.enter(url)
        const { server } = await visitor.get<{ server: { pid: number } }>('/api/situation')
        expect(server).toMatchObject({ daemon: false })
        expect(existsSync(join(home, 'state/run/socket'))).toBe(false)
        child.kill('SIGINT')
        await once(child, 'exit')
        await until(() => !isAlive(server.pid))
        await expect(login(visitor.port, 'x')).rejects.toThrow()
      } finally {
        child.kill('SIGKILL')
      }
    }))
})

describe('opening a browser', () => {
  it('where there is a screen of this machine', () => {
    const window = { out: true, err: true }
    const screen = process.platform === 'darwin' ? 'open' : 'xdg-open'
    expect(findBrowserOpener({ env: { DISPLAY: ':0' }, window })).toBe(screen)
    expect(findBrowserOpener({ env: { WAYLAND_DISPLAY: 'w' }, window })).toBe(screen)
    expect(findBrowserOpener({ env: { DISPLAY: ':0' }, window: { out: false, err: false } })).toBeUndefined()
    expect(findBrowserOpener({ env: { DISPLAY: ':10', SSH_CONNECTION: '1' }, window })).toBeUndefined()
    if (process.platform === 'linux') expect(findBrowserOpener({ env: {}, window })).toBeUndefined()
  })

  it('is told of a file that only this user can read: everybody can read what it is started with', () =>
    withSandbox({}, async ({ folder }) => {
      const program = join(folder, 'browser')
      writeFileSync(program, `#!/bin/sh\necho "$@" > '${folder}/told'\ncat "$1" > '${folder}/read'\n`)
      chmodSync(program, 0o755)
      const url = 'http://127.0.0.1:1/#token=abc'
      expect(openInBrowser(program, url, folder, process.env)).toBe(true)
      await until(() => existsSync(join(folder, 'read')) && readFileSync(join(folder, 'read'), 'utf8') !== '')
      expect(readFileSync(join(folder, 'told'), 'utf8')).not.toContain('abc')
      expect(readFileSync(join(folder, 'read'), 'utf8')).toContain(`content="0;url=${url}"`)
      expect((statSync(join(folder, 'open.html')).mode & 0o777).toString(8)).toBe('600')
    }))
})
