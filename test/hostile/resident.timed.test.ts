import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { payloadOf } from '../support/bash-payload.ts'
import { withDaemon } from '../support/daemon.ts'
import { OWN } from './fixture.ts'
import { HOSTILE } from './policies.ts'

const PATIENCE_MS = 180_000
const push = `git push #${'x'.repeat(2_000)}`

/** The daemon as it runs, one call after the other: what it does not answer, a process of its own does. */
describe.each([
  ['regexes with repeats', 50],
  ['regexes with repeats', 300],
  ['unknown keys', 40_000],
  ['rules', 1_500],
])('a project that brings %s (%i)', (name, many) => {
  it(
    'is left to a process of its own, which refuses as before; the daemon answers the others',
    () =>
      withDaemon(
        async daemon => {
          const { sandbox } = daemon
          const other = join(sandbox.folder, 'other')
          mkdirSync(join(other, '.git'), { recursive: true })
          await daemon.start()
          const asked = await daemon.call(push)
          const alone = await sandbox.run(['hook', '--client', 'claude-code'], {
            input: payloadOf(push, sandbox.project),
          })
          expect(alone.stdout).toContain('"permissionDecision":"deny"')
          // nothing was decided
          expect(asked).toMatchObject({ status: 4, stdout: '' })
          for (let nth = 0; nth < 3; nth++) {
            await daemon.call(push)
            const payload = payloadOf('rm -rf .claude', other, { session_id: 'other' })
            const elsewhere = await daemon.call('', { payload, cwd: other })
            expect(elsewhere?.stdout).toContain('"permissionDecision":"deny"')
          }
          const decisions = sandbox.records().filter(({ client }) => client === 'claude-code')
          expect(decisions.every(({ decision }) => decision === 'deny')).toBe(true)
        },
        { user: OWN, project: HOSTILE[name]?.(many)['signalbox.yaml'] },
      ),
    PATIENCE_MS,
  )
})
