import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Stage } from '../support/in-process-command.ts'
import { BIN } from '../support/sandbox.ts'
import { write } from '../support/store/audit-records.ts'
import { NOW } from '../support/store/records.ts'
import { Receiver } from './receiver.ts'

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
const fill = (many: number) =>
  write(
    state(),
    Array.from({ length: many }, (_, nth) => ({ at: NOW + nth, turn: nth })),
  )
const env = () => ({ SIGNALBOX_HOME: stage.folder })
const otlp = async () => {
  const args = ['audit', 'export', '--format', 'otlp', '--endpoint', receiver.endpoint]
  const code = await stage.run(args, { env: env() })
  return { code, said: stage.said }
}
const seqs = () => receiver.taken.map(one => one.seq)

it('goes on while it happens, and through an outage; two do not send the same', { timeout: 120_000 }, async () => {
  fill(2)
  const args = [BIN, 'audit', 'export', '--format', 'otlp', '--endpoint', receiver.endpoint]
  const child = spawn(process.execPath, [...args, '--follow'], {
    env: { PATH: process.env.PATH, HOME: stage.home, ...env() },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      said += chunk
    })
  const until = async (is: () => boolean) => {
    // it ends as soon as it happens: a busy machine only takes longer
    for (let left = 3000; !is() && left > 0; left--) await new Promise(done => setTimeout(done, 10))
  }
  try {
    await until(() => receiver.taken.length === 2)
    expect(await otlp()).toEqual({ code: 2, said: expect.stringContaining('another process is already sending') })
    await receiver.close()
    fill(2)
    await until(() => said.includes('trying again'))
    await receiver.open()
    await until(() => receiver.taken.length === 4)
    expect(seqs()).toEqual([1, 2, 3, 4])
    child.kill('SIGINT')
    expect(await new Promise(done => child.on('exit', done))).toBe(0)
    expect(said).toMatch(/connected again\n4 records sent/)
  } finally {
    child.kill('SIGKILL')
  }
})
