import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isGone } from '../runtime/process-gone.ts'
import { payloadOf } from '../support/bash-payload.ts'
import { type Running, until, withDaemon } from '../support/daemon.ts'
import { ask } from '../support/daemon-client.ts'
import { verifyStore } from '../support/store/verify-store.ts'

/** Time enough to start a process on a busy machine. */
const PATIENT = 'settings: { budgetMs: 9000 }\n'
const gate = (more = '') => `gates:\n  mine: { code: ./mine.mjs${more} }\n`
const denies = (reason: string) => `export default { judge: event => ({ decision: 'deny', reason: ${reason} }) }`
const write = (daemon: Running, code: string, name = 'mine.mjs') => writeFileSync(join(daemon.sandbox.home, name), code)
const reasonOf = (reply: { readonly stdout: string } | undefined): string =>
  JSON.parse(reply?.stdout ?? '').hookSpecificOutput.permissionDecisionReason.split('\n')[0]

/** The same call in the daemon and in a process of its own. */
async function twoAnswers(daemon: Running, command: string) {
  const { sandbox, state, env } = daemon
  const cwd = sandbox.project
  const spoken = await ask(state, {
    client: 'claude-code',
    payload: payloadOf(command, cwd, { session_id: 'one' }),
    cwd,
    env,
  })
  const spawned = await sandbox.hook('claude-code', payloadOf(command, cwd, { session_id: 'other' }))
  return { spoken, spawned: { status: 0, ...spawned, waits: [9000] } }
}

describe('a gate in code, in the daemon', { timeout: 60_000 }, () => {
  it.each([
    ['refuses', denies("'Not now.'")],
    ['passes', "export default { judge: () => ({ decision: 'pass' }) }"],
    [
      'refuses some',
      `export default { judge: ({ call }) => call.actions.some(one => one.command.startsWith('git')) ? { decision: 'deny', reason: 'git' } : { decision: 'pass' } }`,
    ],
    ['prints', `export default { judge: () => console.log('one') ?? console.error('two') ?? { decision: 'pass' } }`],
    ['throws', 'export default { judge() { throw new Error("boom") } }'],
    ['throws when it loads', 'throw new Error("boom")'],
    ['exports nothing', 'export const x = 1'],
    ['is not JavaScript', 'no no no'],
    ['answers a word', 'export default { judge: () => "deny" }'],
    ['answers later', 'export default { judge: async () => ({ decision: "pass" }) }'],
    ['ends the process', 'export default { judge() { process.exit(1) } }'],
    ['ends the process when it loads', 'process.exit(1)'],
    ['throws what is no error', 'export default { judge() { throw { toString() { throw 1 } } } }'],
    ['rejects on the side', 'Promise.reject(new Error("boom")); await new Promise(done => setTimeout(done, 100))'],
  ])('that %s has the answer of a process of its own, to the byte', (_, code) =>
    withDaemon(
      async daemon => {
        write(daemon, code)
        await daemon.start()
        for (const command of ['git status', 'ls']) {
          const { spoken, spawned } = await twoAnswers(daemon, command)
          expect(spoken).toEqual(spawned)
        }
        expect(daemon.sandbox.store(verifyStore)).toMatchObject({ ok: true, records: 4 })
      },
      { user: PATIENT + gate() },
    ),
  )

  it.each([
    ['hangs', 'export default { judge() { for (;;); } }'],
    ['sleeps', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'],
  ])('that %s has an answer in time, by its `onError`', (_, code) =>
    withDaemon(
      async daemon => {
        write(daemon, code)
        await daemon.start()
        const began = performance.now()
        const reply = await daemon.call('ls')
        expect(reasonOf(reply)).toMatch(/its code did not answer within 1700 ms|no reply within 2 s/)
        expect(performance.now() - began).toBeLessThan(9000)
      },
      { user: gate(', onError: closed') },
    ),
  )

  it('sees the folder and the variables of each call, and no others', () =>
    withDaemon(
      async daemon => {
        write(
          daemon,
          denies("[process.cwd(), process.env.WHO, process.env.ONCE, typeof process.env.SIGNALBOX_APPROVAL].join(' ')"),
        )
        await daemon.start()
        const other = join(daemon.sandbox.project, 'other')
        mkdirSync(other)
        const { project } = daemon.sandbox
        const first = await daemon.call('ls', { env: { ...daemon.env, WHO: 'ann', ONCE: 'yes' } })
        const second = await daemon.call('ls', { env: { ...daemon.env, WHO: 'bob' }, cwd: other })
        expect([reasonOf(first), reasonOf(second)]).toEqual([
          `${realpathSync(project)} ann yes undefined`,
          `${realpathSync(other)} bob  undefined`,
        ])
      },
      { user: PATIENT + gate() },
    ))

  it('is loaded once, and again when it or what it imports is saved', () =>
    withDaemon(
      async daemon => {
        const main = "import { word } from './word.mjs'\nlet calls = 0\n"
        write(daemon, `${main}${denies("[word, ++calls].join(' ')")}`)
        write(daemon, "export const word = 'one'", 'word.mjs')
        await daemon.start()
        expect([reasonOf(await daemon.call('ls')), reasonOf(await daemon.call('ls'))]).toEqual(['one 1', 'one 2'])
        write(daemon, "export const word = 'another'", 'word.mjs')
        expect(reasonOf(await daemon.call('ls'))).toBe('another 1')
        write(daemon, denies("'new'"))
        expect(reasonOf(await daemon.call('ls'))).toBe('new')
      },
      { user: PATIENT + gate() },
    ))

  it('that hangs holds up nobody else, is ended, and is asked again at the next call', () =>
    withDaemon(
      async daemon => {
        const pidFile = join(daemon.sandbox.home, 'pid')
        write(
          daemon,
          `import { writeFileSync } from 'node:fs'
          export default { judge({ call }) {
            if (call.actions[0].command === 'hang') { writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); for (;;); }
            return { decision: 'deny', reason: 'awake' }
          } }`,
        )
        await daemon.start()
        const hanging = daemon.call('hang')
        await until(() => isWritten(pidFile))
        // without code: another user policy would be another state folder, so the control command stands for other work
        const order: string[] = []
        await Promise.all([
          hanging.then(() => order.push('hanging')),
          ask(daemon.state, { kind: 'control', args: ['status'] }).then(() => order.push('status')),
        ])
        expect(JSON.parse((await hanging)?.stdout ?? '').systemMessage).toMatch(
          /its code did not answer within 1700 ms|no reply within 2 s/,
        )
        expect(order).toEqual(['status', 'hanging'])
        expect(reasonOf(await daemon.call('ls'))).toBe('awake')
        await until(() => isGone(Number(readFileSync(pidFile, 'utf8'))))
      },
      { user: gate() },
    ))

  it('is given the state of its gate as it is when the answer counts', () =>
    withDaemon(
      async daemon => {
        write(
          daemon,
          "export default { judge: (_, state) => ({ decision: 'deny', reason: state.state + ' ' + state.operations }) }",
        )
        await daemon.start()
        const all = await Promise.all(['ls', 'pwd', 'date'].map(command => daemon.call(command)))
        expect(all.map(reasonOf).every(reason => reason.startsWith('closed'))).toBe(true)
        expect(daemon.sandbox.records()).toHaveLength(3)
      },
      { user: PATIENT + gate(', initial: closed') },
    ))

  it('does not outlive a daemon that is killed, even in a loop', () =>
    withDaemon(
      async daemon => {
        const pidFile = join(daemon.sandbox.home, 'pid')
        const save = `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(pidFile)}, String(process.pid))`
        write(daemon, `${save}\nexport default { judge() { for (;;); } }`)
        await daemon.start()
        daemon.call('ls').catch(() => {})
        await until(() => isWritten(pidFile))
        await daemon.end()
        await until(() => isGone(Number(readFileSync(pidFile, 'utf8'))))
      },
      { user: PATIENT + gate() },
    ))
})

function isWritten(file: string): boolean {
  try {
    return readFileSync(file, 'utf8') !== ''
  } catch {
    return false
  }
}
