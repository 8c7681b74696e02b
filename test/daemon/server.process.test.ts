import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { encodeRequest } from '../../src/hook/daemon/frame.ts'
import { DaemonServer } from '../../src/hook/daemon/server.ts'

const TOKEN = 'a'.repeat(64)
/** Sends the request and is gone. */
const SCRIPT = `require('net').connect(process.argv[1]).write(Buffer.from(process.argv[2], 'hex'), () => process.exit())`

it('an answer is not looked for when nobody waits any more: it was found elsewhere', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-server-'))
  const visits: unknown[] = []
  const server = new DaemonServer({
    token: TOKEN,
    answer: async visit => {
      visits.push(visit)
      return { exitCode: 0, stdout: '', stderr: '' }
    },
    control: () => '',
    isOutdated: () => false,
    log: () => {},
  })
  try {
    const path = join(folder, 's')
    await server.listen(path)
    const call = { kind: 'call', build: '', token: TOKEN, cwd: '/x', args: ['--client', 'generic'], env: {} } as const
    const frame = encodeRequest({ ...call, bytes: Buffer.from('{}') })
    // it came and went while this process was held up
    execFileSync(process.execPath, ['-e', SCRIPT, path, frame.toString('hex')])
    await new Promise(done => setTimeout(done, 100))
    await server.empty()
    expect(visits).toEqual([])
  } finally {
    server.shut()
    rmSync(folder, { recursive: true, force: true })
  }
})
