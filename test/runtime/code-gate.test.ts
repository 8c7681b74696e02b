import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { withSandbox } from '../sandbox.ts'

const DIST = pathToFileURL(resolve(import.meta.dirname, '../../dist/index.mjs')).href
const gate = (onError: string) => `gates:\n  night: { code: ./night.mjs, onError: ${onError} }\n`
const CODE = `import { defineGate } from '${DIST}'
export default defineGate({
  judge: event => event.call?.acts.some(act => act.action === 'run')
    ? { decision: 'deny', reason: 'Nothing runs at {night}.' }
    : { decision: 'pass' },
})
`
const call = (tool_name: string, tool_input: object) =>
  JSON.stringify({ session_id: 's', hook_event_name: 'PreToolUse', tool_name, tool_input })
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

  it('may print what it likes: the reply stays the reply', () =>
    withSandbox({ user: gate('open') }, async sandbox => {
      write(sandbox.home, CODE.replace('judge: event =>', 'judge: event => console.log("checking") ??'))
      const { stdout, stderr } = await sandbox.hook('claude-code', RUN)
      expect([typeof JSON.parse(stdout), stderr]).toEqual(['object', 'checking\n'])
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
})
