import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { payloadOf, type Running, until, withDaemon } from './running.ts'

/** What opens it is what it refuses, unless it is exempt. */
const policyOf = (message: string, when: string) => `gates:
  tests:
    initial: open
    transitions:
      - { from: open, to: closed, when: { event: tool.before, action: write } }
      - { from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }
    rules:
      - { id: untested, while: closed, when: { event: tool.before, ${when} }, then: deny, message: ${message} }
      - { id: never, when: { event: tool.before, command: never }, then: deny, message: ${message} }
`
const GOOD = policyOf('Good.', 'command: git commit')
const STUCK = policyOf('Stuck.', 'action: run')
const MENDED = policyOf('Mended.', 'command: git push')
const SOON = { SIGNALBOX_DAEMON_QUIET_MS: '20' }
const PLACE = 'signalbox.yaml:8:1 tests can be closed with no way left to open it; let `npm test` pass (`unless`)'

const save = ({ sandbox }: Running, text: string): void => writeFileSync(join(sandbox.project, 'signalbox.yaml'), text)

/** The same event as the daemon and as a process of its own answer it; the id of a record is each one's own. */
async function bothWays(daemon: Running, more: object, command = 'never'): Promise<string> {
  const { sandbox } = daemon
  const payload = (session: string) => payloadOf(command, sandbox.project, { ...more, session_id: session })
  const stayed = await daemon.call(command, { payload: payload(`a${Math.random()}`) })
  const args = ['hook', '--client', 'claude-code']
  const env = { SIGNALBOX_DAEMON: 'off' }
  const alone = await sandbox.run(args, { input: payload(`b${Math.random()}`), env })
  const plain = (text: string) =>
    text.replaceAll(sandbox.project, '/home/dev/proj').replaceAll(sandbox.home, '/home/dev')
  const nameless = (text: string) => plain(text).replace(/\[[0-9a-z]{4,}\]/g, '[id]')
  expect(nameless(alone.stdout)).toBe(nameless(stayed?.stdout ?? ''))
  return alone.stdout
}

const start = (daemon: Running) => bothWays(daemon, { hook_event_name: 'SessionStart', source: 'startup' })

describe('a policy that locks agents up, saved over one that does not', { timeout: 60_000 }, () => {
  it('is out of force within seconds, in both ways alike; mended, it is in force', () =>
    withDaemon(
      async daemon => {
        await daemon.start(SOON)
        const { sandbox } = daemon
        expect(await bothWays(daemon, {})).toContain('Good.')
        await until(() => daemon.log.includes('no agent gets stuck'))
        save(daemon, STUCK)
        expect(await bothWays(daemon, {})).toContain('Stuck.')
        await until(() => daemon.log.includes('its version before is enforced'))
        expect(await bothWays(daemon, {})).toContain('Good.')
        const told = JSON.parse(await start(daemon)).hookSpecificOutput.additionalContext
        expect(told).toContain(`signalbox.yaml is not loaded (${PLACE}); its version of `)
        const status = (await sandbox.run(['status'])).stdout
        expect(status).toMatch(
          /Policy +signalbox.yaml, 1 gate, 1 PROBLEM\n +signalbox.yaml is not loaded; its version of /,
        )
        expect(status).toContain(`${PLACE}\n`)
        const check = await sandbox.run(['check'])
        expect(check).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('DEADLOCK  tests can be closed') })
        expect(check.stdout).toMatch(/\nsignalbox.yaml is not loaded; its version of .* is still enforced\nIs a person/)
        const doctor = JSON.parse((await sandbox.run(['doctor', '--json'])).stdout)
        expect(doctor.problems).toContainEqual(
          expect.objectContaining({ id: 'POLICY-STUCK', line: 8, cost: 'an older version of the policy is enforced' }),
        )
        save(daemon, MENDED)
        expect(await bothWays(daemon, {})).toContain('Mended.')
        expect(await start(daemon)).not.toContain('not loaded')
      },
      { project: GOOD },
    ))

  it('stays in force where there is no earlier one, and is told in both ways alike', () =>
    withDaemon(
      async daemon => {
        await daemon.start(SOON)
        expect(await start(daemon)).not.toContain('stuck')
        await until(() => daemon.log.includes('can be closed'))
        expect(await bothWays(daemon, {})).toContain('Stuck.')
        expect(JSON.parse(await start(daemon)).hookSpecificOutput.additionalContext).toContain(
          `an agent can get stuck in the policy (${PLACE}); it is in force, for there is no earlier version to enforce`,
        )
        const accepted = await daemon.sandbox.run(['check', '--accept'])
        expect(accepted).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('only a person at a terminal') })
      },
      { project: STUCK },
    ))
})
