import { describe, expect, it } from 'vitest'
import { withSandbox } from '../support/sandbox.ts'

const HOOKED = `hooks: [{ event: tool.after, tool: [Edit, Write], run: "true" }]
gates:
  g: { rules: [{ id: r, when: { command: git push }, then: deny, message: no }] }
`
const CLAUDE = ['--client', 'claude-code']

describe('signalbox check --allow unchecked', { timeout: 60_000 }, () => {
  it('accepts what cannot be looked at, and still lists it', () =>
    withSandbox({ user: HOOKED }, async sandbox => {
      expect((await sandbox.run(['check', ...CLAUDE])).exitCode).toBe(3)
      const { exitCode, stdout } = await sandbox.run(['check', ...CLAUDE, '--allow', 'unchecked'])
      expect(exitCode).toBe(0)
      expect(stdout).toMatch(/^OK {2}/)
      expect(stdout).toContain('NOT CHECKED  a hook of your own may deny anything')
      const remarks = await sandbox.run(['check', ...CLAUDE, '--allow', 'unchecked', '--reporter', 'github'])
      expect(remarks.stdout).toMatch(/^::warning .*NOT CHECKED/m)
      expect(remarks.stdout).not.toContain('::error')
    }))

  it('accepts nothing else', () =>
    withSandbox({ user: HOOKED.replace('command: git push', 'tool: "Edit|Write"') }, async sandbox => {
      expect((await sandbox.run(['check', ...CLAUDE, '--allow', 'unchecked'])).exitCode).toBe(1)
      const { exitCode, stderr } = await sandbox.run(['check', '--allow', 'stuck'])
      expect([exitCode, stderr]).toEqual([2, 'signalbox check: unknown `--allow stuck`; expected `unchecked`\n'])
    }))
})

const REVIEW = `gates:
  review:
    scope: project
    initial: open
    transitions:
      - { from: open, to: closed, when: { since: { opened: { turns: 3 } } } }
      - { from: [open, closed], to: open, when: { event: tool.after, command: make review, succeeded: true } }
    rules: [{ while: closed, when: { command: git push }, then: deny, message: Review first. }]
`

it('turns of one session and of the next are turns of the project, through the hook', { timeout: 120_000 }, () =>
  withSandbox({ project: REVIEW }, async sandbox => {
    let n = 0
    const send = async (session: string, rest: object) =>
      (await sandbox.hook('claude-code', JSON.stringify({ session_id: session, cwd: sandbox.project, ...rest }))).stdout
    const prompt = (session: string) => send(session, { hook_event_name: 'UserPromptSubmit', prompt: `go ${n++}` })
    const shell = (session: string, name: string, command: string) =>
      send(session, {
        hook_event_name: name,
        ...{ tool_name: 'Bash', tool_use_id: `t${n++}`, tool_input: { command } },
        ...(name === 'PostToolUse' && { tool_response: { stdout: '', stderr: '', interrupted: false } }),
      })
    for (let turn = 0; turn < 6; turn++) await prompt('one')
    expect(await shell('one', 'PreToolUse', 'git push')).toContain('deny')
    await shell('one', 'PostToolUse', 'make review')
    await prompt('two')
    await prompt('two')
    expect(await shell('two', 'PreToolUse', 'git push')).not.toContain('deny')
    await prompt('two')
    expect(await shell('two', 'PreToolUse', 'git push')).toContain('deny')
  }),
)
