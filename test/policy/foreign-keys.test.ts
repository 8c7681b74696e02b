import { expect, it } from 'vitest'
import { clients } from '../../src/clients/index.ts'
import { createEventNameHint } from '../../src/policy/compile/warnings/client-event-names.ts'
import { parseTestStep } from '../../src/policy/parse/policy-tests.ts'

const served = clients.map(client => ({ ...client, refuses: [], textEvents: [], reportsExit: true }))

it.each([
  ['PreToolUse', '`PreToolUse` is the name in Claude Code: write `tool.before`'],
  ['PostToolUse', '`PostToolUse` is the name in Claude Code: write `tool.after`'],
  ['UserPromptSubmit', '`UserPromptSubmit` is the name in Claude Code: write `prompt.submit`'],
  ['SubagentStop', '`SubagentStop` is the name in Claude Code: write `agent.stop`'],
  ['Stop', '`Stop` is the name in Claude Code: write `turn.stop`'],
  ['SessionStart', '`SessionStart` is the name in Claude Code: write `session.start`'],
  ['BeforeTool', '`BeforeTool` is the name in Gemini CLI: write `tool.before`'],
  ['beforeShellExecution', '`beforeShellExecution` is the name in Cursor: write `tool.before`'],
  ['tool.execute.after', '`tool.execute.after` is the name in opencode: write `tool.after`'],
  ['tool.befor', undefined],
])('the event %s is told in words of the policy', (written, help) => {
  expect(createEventNameHint(served)('event', written)).toBe(help)
})

it('a key of a test that is a tool of an agent is told in words of tests', () => {
  expect(parseTestStep('bash: npm test')).toMatchObject({
    problem: { message: 'unknown key `bash` in the event', help: 'did you mean `shell`?' },
  })
})
