import { expect, it } from 'vitest'
import { clients } from '../../src/clients/index.ts'
import { createEventNameHint } from '../../src/policy/compile/warnings/client-event-names.ts'
import { parseTestStep } from '../../src/policy/parse/policy-tests.ts'

const served = clients.map(client => ({ ...client, refuses: [], tells: [], reportsExit: true }))

it.each([
  ['PreToolUse', "`PreToolUse` is Claude Code's word: write `tool.before`"],
  ['PostToolUse', "`PostToolUse` is Claude Code's word: write `tool.after`"],
  ['UserPromptSubmit', "`UserPromptSubmit` is Claude Code's word: write `prompt.submit`"],
  ['SubagentStop', "`SubagentStop` is Claude Code's word: write `agent.stop`"],
  ['Stop', "`Stop` is Claude Code's word: write `turn.stop`"],
  ['SessionStart', "`SessionStart` is Claude Code's word: write `session.start`"],
  ['BeforeTool', "`BeforeTool` is Gemini CLI's word: write `tool.before`"],
  ['beforeShellExecution', "`beforeShellExecution` is Cursor's word: write `tool.before`"],
  ['tool.execute.after', "`tool.execute.after` is opencode's word: write `tool.after`"],
  ['tool.befor', undefined],
])('the event %s is told in words of the policy', (written, help) => {
  expect(createEventNameHint(served)('event', written)).toBe(help)
})

it('a key of a test that is a tool of an agent is told in words of tests', () => {
  expect(parseTestStep('bash: npm test')).toMatchObject({
    problem: { message: 'unknown key `bash` in the event', help: 'did you mean `shell`?' },
  })
})
