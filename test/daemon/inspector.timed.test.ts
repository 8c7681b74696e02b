import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PolicyVerifier } from '../../src/hook/daemon/policy-verifier.ts'
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

describe('the inspector', () => {
  const says = (proof: object) => [process.execPath, '-e', `console.log(${JSON.stringify(JSON.stringify({ proof }))})`]
  const fine = says({ complete: true, findings: [] })
  const inspect = (command: readonly string[], isKnown = (_: string) => false) => {
    const lines: string[] = []
    return { lines, inspector: new PolicyVerifier({ command, isKnown, quietMs: 10 }, line => lines.push(line)) }
  }
  const policy = (hash: string, folder = '/') => ({ hash, folder, env: { PATH: process.env.PATH } })

  it('keeps few waiting: who is left out comes again with the next event', async () => {
    const asked: string[] = []
    const { inspector } = inspect(fine, hash => asked.push(hash) > 0)
    for (let nth = 0; nth < 40; nth++) inspector.see(policy(`p${nth}`, `/f${nth}`))
    await until(() => asked.length >= 16)
    await new Promise(done => setTimeout(done, 100))
    expect(asked).toEqual(Array.from({ length: 16 }, (_, nth) => `p${24 + nth}`))
    inspector.see(policy('p0', '/f0'))
    await until(() => asked.at(-1) === 'p0')
    inspector.stop()
  })

  it('proves a policy once in each folder, one after the other', async () => {
    const { lines, inspector } = inspect(fine)
    for (const one of ['a', 'a', 'a']) inspector.see(policy(one))
    inspector.see(policy('a', '/usr'))
    await until(() => lines.length === 2)
    inspector.see(policy('a'))
    await new Promise(done => setTimeout(done, 200))
    expect(lines.map(line => line.replace(/\d+ ms/, 'N ms'))).toEqual([
      'verification of the policy in /: no agent gets stuck, N ms',
      'verification of the policy in /usr: no agent gets stuck, N ms',
    ])
  })

  it('leaves alone what is known, and says where the verification failed', async () => {
    const { lines, inspector } = inspect([process.execPath, '-e', 'process.exit(2)'], hash => hash === 'known')
    inspector.see(policy('known'))
    inspector.see(policy('new', '/usr'))
    inspector.see(policy('gone', '/no/such/folder'))
    await until(() => lines.length === 2)
    expect(lines.join('\n')).toMatch(
      /in \/usr: the verification failed.*\n.*in \/no\/such\/folder: the verification failed/,
    )
  })

  it('never calls a search that was cut short a proof', async () => {
    const { lines, inspector } = inspect(says({ complete: false, within: 4, findings: [] }))
    inspector.see(policy('a'))
    await until(() => lines.length === 1)
    expect(lines[0]).toContain('nothing found within 4 steps, not complete')
  })

  it('ends with its daemon', async () => {
    const { lines, inspector } = inspect([process.execPath, '-e', 'setInterval(() => {}, 1000)'])
    inspector.see(policy('a'))
    await new Promise(done => setTimeout(done, 200))
    inspector.stop()
    inspector.see(policy('b'))
    await new Promise(done => setTimeout(done, 100))
    expect(lines).toEqual([])
  })
})
