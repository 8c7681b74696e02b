import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Sandbox, withSandbox } from '../support/sandbox.ts'

const own = (agent: string) => `
gates:
  builders:
    rules:
      - when: { event: tool.before, caller: main, action: write, path: "src/**" }
        then: deny
        message: "Leave it to {suggest}."
        suggest: { agent: ${agent} }
`
const HOOK = {
  hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'signalbox hook --client claude-code' }] }] },
}

/** What `check` says of a project whose Claude Code calls Signalbox. */
const checked = (policy: string, make: (sandbox: Sandbox) => void = () => {}) =>
  withSandbox({}, async sandbox => {
    mkdirSync(join(sandbox.project, '.claude/agents'), { recursive: true })
    writeFileSync(join(sandbox.project, '.claude/settings.json'), JSON.stringify(HOOK))
    writeFileSync(join(sandbox.project, 'signalbox.yaml'), policy)
    make(sandbox)
    const { stdout, stderr } = await sandbox.run(['check'], { cwd: sandbox.project })
    return stdout + stderr
  })
const agent = (file: string, text: string) => (sandbox: Sandbox) =>
  writeFileSync(join(sandbox.project, '.claude/agents', file), text)

const MISSING = /sends Claude Code to the agent `[\w-]+`, which does not exist/

describe('an agent that a gate sends to', () => {
  it('is missed by check, with what to do', async () => {
    const boundary = await checked('use: [orchestrator-boundary]\n')
    expect(boundary).toMatch(MISSING)
    expect(boundary).toContain('modular-builder')
    expect(boundary).toContain('run `signalbox init` to create it')
    expect(await checked(own('reviewer'))).toContain('to the agent `reviewer`, which does not exist')
  })

  it.each([
    ['it is defined by its file', own('reviewer'), agent('reviewer.md', 'x')],
    ['a file says its name', own('reviewer'), agent('other.md', '---\nname: reviewer\n---\n')],
    ['the client has it', own('general-purpose'), () => {}],
    ['it is one of a plugin', own('"tools:reviewer"'), () => {}],
    ['the gate only observes', own('reviewer').replace('rules:', 'mode: observe\n    rules:'), () => {}],
    ['one of several is there', own('[builder, reviewer]'), agent('reviewer.md', 'x')],
  ])('is not missed if %s', async (_, policy, make) => {
    expect(await checked(policy, make)).not.toMatch(MISSING)
  })

  it('is not missed where nobody knows which agents come with the client', async () => {
    const cursor = { version: 1, hooks: { preToolUse: [{ command: 'signalbox hook --client cursor' }] } }
    const said = await checked(own('reviewer'), ({ project }) => {
      mkdirSync(join(project, '.cursor'))
      writeFileSync(join(project, '.cursor/hooks.json'), JSON.stringify(cursor))
    })
    expect(said).toMatch(MISSING)
    expect(said).not.toContain('sends Cursor')
  })
})
