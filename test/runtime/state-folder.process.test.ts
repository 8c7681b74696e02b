import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createResidentHook } from '../../src/hook/entry/hook-process.ts'
import { foldersOf, unsafeFolderReason } from '../../src/hook/index.ts'
import { BUNDLES } from '../support/bundles.ts'
import { Sandbox } from '../support/sandbox.ts'

const CALL = (command: string): string =>
  JSON.stringify({
    hook_event_name: 'PreToolUse',
    session_id: 's',
    cwd: '/home/dev/proj',
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: '1',
  })
const isRoot = process.getuid?.() === 0
const NOBODY = 65534

describe('without HOME', () => {
  it.each([{}, { HOME: '' }])('the home is the one that the system has: %j', env => {
    expect(foldersOf(env)).toMatchObject({
      home: userInfo().homedir,
      userFile: join(userInfo().homedir, '.config/signalbox/signalbox.yaml'),
      state: join(userInfo().homedir, '.local/state/signalbox'),
    })
  })
})

describe('a state folder that others can write to', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'signalbox-foreign-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('is one, by its mode or by its owner', () => {
    expect(unsafeFolderReason(folder)).toBeUndefined()
    expect(unsafeFolderReason(join(folder, 'none'))).toBeUndefined()
    chmodSync(folder, 0o755)
    expect(unsafeFolderReason(folder)).toBeUndefined()
    for (const mode of [0o777, 0o770, 0o702, 0o1777]) {
      chmodSync(folder, mode)
      expect(unsafeFolderReason(folder)).toMatch(/^other users can write to the state folder/)
    }
  })

  it.runIf(isRoot)('is one that belongs to another user', () => {
    chownSync(folder, NOBODY, NOBODY)
    expect(unsafeFolderReason(folder)).toMatch(/^the state folder belongs to another user/)
  })

  const lifting = (sandbox: Sandbox): void => {
    const bypass = { id: 'aaaaaa', kind: 'off', begun: Date.now() }
    mkdirSync(join(sandbox.home, 'state/bypass'), { recursive: true })
    writeFileSync(join(sandbox.home, 'state/bypass/aaaaaa.json'), JSON.stringify(bypass))
    chmodSync(join(sandbox.home, 'state'), 0o777)
  }
  const USER =
    'gates: { push: { rules: [ { when: { event: tool.before, command: git push }, then: deny, message: no } ] } }\n'

  it('nothing in it is used, and nothing passes: a process for each event', async () => {
    const sandbox = new Sandbox({ user: USER })
    try {
      lifting(sandbox)
      const told = await sandbox.hook('claude-code', CALL('git push'), { env: { SIGNALBOX_DAEMON: 'off' }, cold: true })
      expect(told).toMatchObject({ exitCode: 2, stdout: '' })
      expect(told.stderr).toMatch(/other users can write to the state folder/)
      expect(readdirSync(join(sandbox.home, 'state'))).toEqual(['bypass'])
      chmodSync(join(sandbox.home, 'state'), 0o700)
      rmSync(join(sandbox.home, 'state/bypass'), { recursive: true })
      const mended = await sandbox.hook('claude-code', CALL('git push'), { env: { SIGNALBOX_DAEMON: 'off' } })
      expect(mended.stdout).toMatch(/"permissionDecision":"deny"/)
    } finally {
      sandbox.remove()
    }
  })

  it('and the same in a process that stays', async () => {
    const sandbox = new Sandbox({ user: USER })
    const state = join(sandbox.home, 'state')
    mkdirSync(state, { mode: 0o700 })
    const resident = createResidentHook(state, BUNDLES)
    try {
      const env = { SIGNALBOX_HOME: sandbox.home, HOME: sandbox.home, PATH: process.env.PATH }
      const text = CALL('git push').replaceAll('/home/dev/proj', sandbox.project)
      const ask = () =>
        resident.answer({
          args: ['--client', 'claude-code'],
          text,
          bytes: Buffer.from(text),
          env,
          cwd: sandbox.project,
          now: Date.now(),
          arrivedAt: process.uptime() * 1000,
        })
      lifting(sandbox)
      expect(await ask()).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/other users can write/) })
    } finally {
      resident.close()
      sandbox.remove()
    }
  })
})
