import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withSandbox } from '../support/sandbox.ts'

const POLICY = `gates:
  tested:
    initial: closed
    transitions: [{ from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }]
    rules: [{ while: closed, when: { event: tool.before, command: git push }, then: deny, message: Test first. }]
`
const call = (command: string, more: object = {}) =>
  JSON.stringify({ tool_name: 'Bash', tool_input: { command }, ...more })

it('without a session id there is one session a project, which no id can name', () =>
  withSandbox({ user: POLICY }, async sandbox => {
    const other = join(sandbox.folder, 'other')
    mkdirSync(join(other, '.git'), { recursive: true })
    const ask = async (cwd: string, payload: string) =>
      JSON.parse((await sandbox.run(['hook', '--client', 'generic'], { input: payload, cwd })).stdout).decision
    await ask(sandbox.project, call('npm test', { tool_result: { exit_code: 0 } }))
    expect(await ask(sandbox.project, call('git push'))).toBe('approve')
    expect(await ask(other, call('git push'))).toBe('block')
    for (const session_id of [sandbox.project, `project ${sandbox.project}`])
      expect(await ask(other, call('git push', { session_id }))).toBe('block')
  }))

it.each(['claude-code', 'codex-cli'])(
  '%s: a folder that is no project does not hide the policy where the hook runs',
  client =>
    withSandbox({ project: POLICY }, async sandbox => {
      const ask = async (cwd: string, hook_event_name: string) => {
        const payload = { session_id: `${cwd} ${hook_event_name}`, cwd, hook_event_name }
        const input = call('git push', payload)
        const { stdout, stderr } = await sandbox.run(['hook', '--client', client], { input, cwd: sandbox.project })
        return stdout + stderr
      }
      expect(await ask('/', 'PreToolUse')).toContain('Test first')
      expect(await ask('/nonexistent', 'PreToolUse')).toContain('Test first')
      expect(await ask(sandbox.project, 'ToolWillRun')).toContain('Test first')
      expect(await ask(sandbox.project, 'PreToolUse ')).toContain('Test first')
    }),
)
