import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { payloadOf } from '../support/bash-payload.ts'
import { withSandbox } from '../support/sandbox.ts'

const USER = `gates:
  no-push:
    rules: [{ when: { event: tool.before, command: git push }, then: deny, message: Do not push. }]
`

/** Files of ours that this call did not leave, and that a later call would read. */
const LATER = [
  ...['', '-journal', '-wal', '-shm'].map(part => `state/signalbox.db${part}`),
  ...['bypass/off.json', 'approvals/0123456789abcdef.json', 'spool/a.json', 'trust.json', 'run-key'].map(
    name => `state/${name}`,
  ),
  ...['unjudged-claude-code', 'unwritten/gap', 'run/token', 'audit-head.copy'].map(name => `state/${name}`),
]

const KINDS: Record<string, (file: string) => unknown> = {
  pipe: file => execFileSync('mkfifo', [file]),
  folder: file => mkdirSync(join(file, 'x'), { recursive: true }),
  device: file => symlinkSync('/dev/zero', file),
}

describe('in place of a file of ours, or of a folder of ours', () => {
  it.each(Object.keys(KINDS))('a %s: the hook ends, and every gate is evaluated', { timeout: 300_000 }, kind =>
    withSandbox({ user: USER }, async sandbox => {
      const call = () =>
        sandbox.hook('claude-code', payloadOf('git push', sandbox.project), { env: { SIGNALBOX_DAEMON: 'off' } })
      expect((await call()).stdout).toContain('Do not push.')
      const before = join(sandbox.folder, 'before')
      cpSync(sandbox.home, before, { recursive: true })
      const left = readdirSync(before, { recursive: true, encoding: 'utf8' })
      expect(left).toEqual(
        expect.arrayContaining(['data/audit-begun', 'state/audit-head', 'state/cache', 'state/code']),
      )
      for (const name of new Set([...left, ...LATER])) {
        const file = join(sandbox.home, name)
        rmSync(file, { recursive: true, force: true })
        if (!existsSync(dirname(file))) mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
        KINDS[kind]?.(file)
        const { stdout, exitCode } = await call()
        const isRefused = stdout.includes('Do not push.') || exitCode === 2
        expect([name, isRefused]).toEqual([name, true])
        rmSync(sandbox.home, { recursive: true, force: true })
        cpSync(before, sandbox.home, { recursive: true })
      }
    }),
  )
})
