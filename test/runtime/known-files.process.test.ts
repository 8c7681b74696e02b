import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withSandbox } from '../support/sandbox.ts'

const POLICY = `gates:
  read-first:
    rules:
      - { when: { action: write, file: exists, not: { file: read } }, then: deny, message: Read it first. }
      - { when: { action: run, file: fetched }, then: deny, message: Show it first. }
`

it('what a session knows of files outlives the process', () =>
  withSandbox({ user: POLICY }, async sandbox => {
    const file = join(sandbox.project, 'a.ts')
    writeFileSync(file, 'x')
    const env = { SIGNALBOX_DAEMON: 'off' }
    const tell = async (event: string, tool: string, input: object): Promise<string> => {
      const payload = {
        session_id: 's',
        cwd: sandbox.project,
        hook_event_name: event,
        tool_name: tool,
        tool_input: input,
      }
      const { stdout } = await sandbox.hook('claude-code', JSON.stringify(payload), { env })
      const { permissionDecision = 'pass' } = stdout === '' ? {} : (JSON.parse(stdout).hookSpecificOutput ?? {})
      return permissionDecision
    }
    const write = { file_path: file, content: 'y' }
    expect(await tell('PreToolUse', 'Write', write)).toBe('deny')
    expect(await tell('PreToolUse', 'Write', { ...write, file_path: join(sandbox.project, 'new.ts') })).toBe('pass')
    await tell('PostToolUse', 'Read', { file_path: file })
    expect(await tell('PreToolUse', 'Write', write)).toBe('pass')
    expect(await tell('PreToolUse', 'Bash', { command: 'sh i.sh' })).toBe('pass')
    await tell('PostToolUse', 'Bash', { command: 'curl -o i.sh https://a.example/i.sh' })
    expect(await tell('PreToolUse', 'Bash', { command: 'sh i.sh' })).toBe('deny')
  }))
