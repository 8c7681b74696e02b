import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { until, withDaemon } from '../support/daemon.ts'

/** What opens it is what it refuses, unless it is exempt. */
const policyOf = (unless: string) => `
gates:
  tests:
    initial: open
    transitions:
      - { from: open, to: closed, when: { event: tool.before, action: write } }
      - { from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }
    rules:
      - { id: untested, while: closed, when: { event: tool.before, action: run }, ${unless} then: deny, message: Test first. }
`
const SOON = { SIGNALBOX_DAEMON_QUIET_MS: '50' }

describe('a daemon proves what comes into force', { timeout: 60_000 }, () => {
  it('tells of a policy that locks agents up, and answers as ever; mended, it is proven anew', () =>
    withDaemon(
      async daemon => {
        await daemon.start(SOON)
        const { sandbox } = daemon
        expect(await daemon.call('ls')).toMatchObject({ status: 0, exitCode: 0, stdout: '' })
        await until(() => daemon.log.includes('verification of the policy'), 30_000)
        expect(daemon.log).toMatch(
          /verification of the policy in \S+: tests can be closed with no way left to open it \(\d found/,
        )
        await until(() => daemon.log.includes('ALARM'), 5000)
        expect(daemon.log).toMatch(
          /ALARM {2}an agent can get stuck in the policy in \S+, which is active; run signalbox check there$/m,
        )
        const running = await sandbox.run(['daemon', 'status'], { env: daemon.env })
        expect(running.stdout).toMatch(
          /\n {2}ALARM {5}an agent can get stuck in the policy in \S+; run .*signalbox\S* check there\n/,
        )
        const { stdout } = await sandbox.run(['status', '--json'])
        expect(JSON.parse(stdout).policy.verification).toMatchObject({
          complete: true,
          findings: [{ kind: 'deadlock' }],
        })
        // the person is told once, by the agent's next event; the answer is as ever
        const told = await daemon.call('ls')
        const after = await daemon.call('ls')
        expect([told, after]).toMatchObject([
          { status: 0, exitCode: 0 },
          { status: 0, exitCode: 0, stdout: '' },
        ])
        expect(JSON.parse(told?.stdout ?? '')).toEqual({
          systemMessage:
            'signalbox: an agent can get stuck under the current policy: tests can be closed with no way left to open it ' +
            '(writes some.txt: tests closes → npm test: DENY tests/untested). Fix: signalbox.yaml:9 let `signalbox run -- npm test` pass: `unless: { command: [npm test, signalbox run -- npm test] }`. Details: signalbox check',
        })

        const exempt = 'unless: { any: [{ command: npm test }, { command: signalbox run }] },'
        writeFileSync(join(sandbox.project, 'signalbox.yaml'), policyOf(exempt))
        await daemon.call('ls')
        await until(() => daemon.log.includes('no agent gets stuck'), 30_000)
        expect((await sandbox.run(['status'])).stdout).toMatch(/Policy .* no problems\n/)
      },
      { project: policyOf('') },
    ))
})
