import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createResidentHook } from '../../src/hook/entry/hook-process.ts'
import { SqliteStore } from '../../src/store/index.ts'
import { payloadOf } from '../support/bash-payload.ts'
import { BUNDLES } from '../support/bundles.ts'
import { until } from '../support/daemon.ts'

const clock = () => process.uptime() * 1000

let home: string
let project: string
let resident: ReturnType<typeof createResidentHook>
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-late-'))
  project = join(home, 'proj')
  mkdirSync(join(project, '.git'), { recursive: true })
  resident = createResidentHook(join(home, 'state'), BUNDLES)
})
afterEach(() => {
  resident.close()
  rmSync(home, { recursive: true, force: true })
})

function ask(command: string, client = 'claude-code') {
  const text = payloadOf(command, project)
  const env = { HOME: home, SIGNALBOX_HOME: home, PATH: process.env.PATH ?? '' }
  const call = { args: ['--client', client], text, bytes: Buffer.from(text), env, cwd: project }
  return resident.answer({ ...call, now: Date.now(), arrivedAt: clock() })
}

const records = () => {
  const store = new SqliteStore(join(home, 'state'))
  const all = store.records({ last: 100 }).map(({ record }) => `${record.decision} ${record.errors.join()}`)
  store.close()
  return all
}

it('a step that comes after the answer is not taken: what was answered is what is on record', async () => {
  const hook =
    'hooks: [{ event: tool.before, run: "touch began; sleep 1; touch ended", timeoutMs: 30000, onError: closed }]'
  writeFileSync(join(home, 'signalbox.yaml'), hook)
  const reply = ask('git status')
  await until(() => existsSync(join(project, 'began')))
  resident.abort(new Error('nobody waits'))
  expect(await reply).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('nobody waits') })
  // the hook was ended with it; else it would come to its end now, and the step be taken
  await new Promise(done => setTimeout(done, 1500))
  expect(existsSync(join(project, 'ended'))).toBe(false)
  expect(readdirSync(join(home, 'state/spool'))).toHaveLength(1)
  rmSync(join(home, 'signalbox.yaml'))
  expect(await ask('git status')).toMatchObject({ exitCode: 0, stdout: '' })
  expect(records()).toEqual(['deny nobody waits', 'pass '])
})
