import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { childCpuMs } from '../support/cpu-time.ts'
import { type Ran, withSandbox } from '../support/sandbox.ts'

const DIST = pathToFileURL(resolve(import.meta.dirname, '../../dist/index.mjs')).href
const gate = (onError: string) => `gates:\n  night: { code: ./night.mjs, onError: ${onError} }\n`
const CODE = `import { defineGate } from '${DIST}'
export default defineGate({
  judge: event => event.call?.actions.some(action => action.kind === 'run')
    ? { decision: 'deny', reason: 'Nothing runs at {night}.' }
    : { decision: 'pass' },
})
`
const call = (tool_name: string, tool_input: object) =>
  JSON.stringify({ session_id: 's', hook_event_name: 'PreToolUse', tool_name, tool_input })
const LONG_HOOK = 'hooks:\n  - { event: tool.before, run: exit 0, timeoutMs: 60000 }\n'
const timed = async (work: () => Promise<Ran>) => {
  const began = performance.now()
  return { ...(await work()), tookMs: performance.now() - began }
}
const RUN = call('Bash', { command: 'ls' })

describe('a gate written in code', () => {
  const write = (folder: string, code: string) => writeFileSync(join(folder, 'night.mjs'), code)

  it("judges every event, in a person's own policy", () =>
    withSandbox({ user: gate('open') }, async sandbox => {
      write(sandbox.home, CODE)
      const { stdout } = await sandbox.hook('claude-code', RUN)
      expect(JSON.parse(stdout).hookSpecificOutput.permissionDecisionReason).toBe('Nothing runs at {night}.')
      expect((await sandbox.hook('claude-code', call('Read', { file_path: 'a' }))).stdout).toBe('')
    }))

  it.each([
    ['night.mjs', "import { defineGate } from 'signalbox'\nexport default defineGate({ judge: () => undefined })\n"],
    ['night.py', 'print()\n'],
  ])('that cannot be loaded says what to do: %s', (file, code) =>
    withSandbox({ user: gate('closed').replace('night.mjs', file) }, async sandbox => {
      writeFileSync(join(sandbox.home, file), code)
      const { stdout } = await sandbox.hook('claude-code', RUN)
      expect(stdout).toContain(
        file === 'night.py'
          ? 'write it in a `.mjs` file'
          : 'install Signalbox beside it, or export `{ judge }` without the import',
      )
    }),
  )

  it('may print what it likes: the reply stays the reply', () =>
    withSandbox({ user: gate('open') }, async sandbox => {
      write(sandbox.home, CODE.replace('judge: event =>', 'judge: event => console.log("checking") ??'))
      const { stdout, stderr } = await sandbox.hook('claude-code', RUN)
      expect([typeof JSON.parse(stdout), stderr]).toEqual(['object', 'checking\n'])
    }))

  it.each([
    ['while it loads', `process.stdout.write('noise\\n'); ${CODE}`],
    ['when it judges', CODE.replace('judge: event =>', 'judge: event => process.stdout.write("noise\\n") &&')],
    ['as an error', CODE.replace('judge: event =>', 'judge: event => process.stderr.write("noise\\n") &&')],
    ['by a stream', `import { Readable } from 'node:stream'\nReadable.from(['noise\\n']).pipe(process.stdout);${CODE}`],
    ['after it has judged', CODE.replace('judge: event =>', 'judge: event => setTimeout(console.log, 0, "noise") &&')],
  ])('may write to stdout %s: that is no reply', (_, code) =>
    withSandbox({ user: gate('open') }, async sandbox => {
      write(sandbox.home, code)
      const { exitCode, stdout, stderr } = await sandbox.hook('claude-code', RUN)
      expect([exitCode, JSON.parse(stdout).hookSpecificOutput.permissionDecision]).toEqual([0, 'deny'])
      expect(['', 'noise\n']).toContain(stderr)
    }),
  )

  it('that prints for ever is cut short', () =>
    withSandbox({ user: gate('open') }, async sandbox => {
      write(sandbox.home, 'export default { judge() { for (;;) console.log("x".repeat(1000)) } }')
      const { stdout, stderr } = await sandbox.hook('claude-code', RUN)
      expect(JSON.parse(stdout).systemMessage).toContain('its code did not answer within 1700 ms')
      expect(stderr.length).toBeLessThan(70_000)
    }))

  it('of a project does not run before it is trusted', () =>
    withSandbox({ project: gate('open') }, async sandbox => {
      write(sandbox.project, `${CODE}; throw new Error('it ran')`)
      expect(await sandbox.hook('claude-code', RUN)).toEqual({ exitCode: 0, stdout: '', stderr: '' })
    }))

  it.each([
    ['throws when it judges', 'export default { judge() { throw new Error("boom") } }'],
    ['throws when it loads', 'throw new Error("boom")'],
    ['exports nothing', 'export const x = 1'],
    ['is not JavaScript', 'no no no'],
    ['answers nonsense', 'export default { judge: () => undefined }'],
    ['answers a word', 'export default { judge: () => "deny" }'],
    ['refuses without a reason', 'export default { judge: () => ({ decision: "deny" }) }'],
    ['decides what nobody knows', 'export default { judge: () => ({ decision: "maybe", reason: "x" }) }'],
    ['says what is no text', 'export default { judge: () => ({ decision: "pass", context: 1 }) }'],
    ['answers later', 'export default { judge: async () => ({ decision: "pass" }) }'],
    ['answers what cannot be passed on', 'export default { judge: () => ({ decision: "pass", message: 1n }) }'],
    ['ends the process', 'export default { judge() { process.exit(1) } }'],
    ['ends the process when it loads', 'process.exit(1)'],
    ['throws what is no error', 'export default { judge() { throw { toString() { throw 1 } } } }'],
    ['rejects on the side', 'Promise.reject(new Error("boom")); await new Promise(done => setTimeout(done, 100))'],
  ])('that %s loses its say, or refuses if it says closed', (_, code) =>
    withSandbox({ user: gate('open') }, async sandbox => {
      write(sandbox.home, code)
      const told = JSON.parse((await sandbox.hook('claude-code', RUN)).stdout)
      expect(told).toEqual({ systemMessage: expect.stringMatching(/^signalbox: gate user\/night: .+/) })
      expect((await sandbox.hook('claude-code', RUN)).stdout).toBe('')
      expect(sandbox.records().at(-1)?.errors).toEqual([expect.stringMatching(/^gate user\/night: .+/)])
      writeFileSync(join(sandbox.home, 'signalbox.yaml'), gate('closed'))
      const { stdout } = await sandbox.hook('claude-code', RUN)
      expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe('deny')
    }),
  )

  it.each([
    ['when it judges', 'export default { judge() { for (;;); } }'],
    ['when it loads', 'for (;;);'],
    ['waiting', 'await new Promise(() => setInterval(() => {}, 1000))'],
    ['asleep', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'],
  ])('that hangs %s is answered for in time', (_, code) =>
    withSandbox({ user: gate('open') }, async sandbox => {
      write(sandbox.home, code)
      const open = await timed(() => sandbox.hook('claude-code', RUN))
      const told = 'signalbox: gate user/night: its code did not answer within 1700 ms'
      expect([open.exitCode, JSON.parse(open.stdout), open.stderr]).toEqual([0, { systemMessage: told }, ''])
      // told once
      expect((await sandbox.hook('claude-code', RUN)).stdout).toBe('')
      writeFileSync(join(sandbox.home, 'signalbox.yaml'), gate('closed'))
      const closed = await timed(() => sandbox.hook('claude-code', RUN))
      const { permissionDecision, permissionDecisionReason } = JSON.parse(closed.stdout).hookSpecificOutput
      expect([closed.exitCode, permissionDecision]).toEqual([0, 'deny'])
      expect(permissionDecisionReason).toContain('its code did not answer within 1700 ms')
      expect(Math.max(open.tookMs, closed.tookMs)).toBeLessThan(3000)
    }),
  )

  it.skipIf(!('execve' in process))('that hangs where no thread can be ended does not hold up the exit', () =>
    withSandbox({ user: gate('open') }, async sandbox => {
      const code = 'execSync("sleep 6"); export default {}'
      write(sandbox.home, `import { execSync } from 'node:child_process'; ${code}`)
      const { exitCode, stdout, tookMs } = await timed(() => sandbox.hook('claude-code', RUN))
      expect([exitCode, JSON.parse(stdout).systemMessage]).toEqual([0, expect.stringContaining('within 1700 ms')])
      expect(tookMs).toBeLessThan(3000)
    }),
  )

  it('has the time that the policy gives, whatever time a hook has', () =>
    withSandbox({ user: `settings: { budgetMs: 800 }\n${gate('open')}${LONG_HOOK}` }, async sandbox => {
      write(sandbox.home, 'export default { judge() { for (;;); } }')
      const began = childCpuMs()
      const { stdout } = await sandbox.hook('claude-code', RUN)
      expect(JSON.parse(stdout).systemMessage).toContain('its code did not answer within 600 ms')
      // the code works for as long as it is let, so the time that it worked is the time that it had
      expect(childCpuMs() - began).toBeLessThan(3000)
    }))

  it('that hangs does not speak for those before it; those after it are not asked', () =>
    withSandbox(
      { user: `${gate('open')}  hang: { code: ./hang.mjs }\n  last: { code: ./night.mjs }\n` },
      async sandbox => {
        write(sandbox.home, CODE)
        writeFileSync(join(sandbox.home, 'hang.mjs'), 'export default { judge() { for (;;); } }')
        const { systemMessage, hookSpecificOutput } = JSON.parse((await sandbox.hook('claude-code', RUN)).stdout)
        expect(hookSpecificOutput.permissionDecisionReason).toBe('Nothing runs at {night}.')
        expect(systemMessage.split('\n')).toEqual([
          'signalbox: gate user/hang: its code did not answer within 1700 ms',
          'signalbox: gate user/last: its code did not run, because that of user/hang failed',
        ])
      },
    ))

  it('is given its state, and what it does to it stays its own', () =>
    withSandbox({ user: gate('open').replace('code:', 'initial: closed, code:') }, async sandbox => {
      write(
        sandbox.home,
        `export default { judge(event, state) {
          const reason = event.kind + ' ' + state.state
          event.kind = 'other'
          state.state = 'open'
          return { decision: 'deny', reason }
        } }`,
      )
      for (const command of ['ls', 'pwd']) {
        const { stdout } = await sandbox.hook('claude-code', call('Bash', { command }))
        expect(JSON.parse(stdout).hookSpecificOutput.permissionDecisionReason).toMatch(/^tool.before closed/)
      }
    }))
})
