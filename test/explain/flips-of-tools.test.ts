import { expect, it } from 'vitest'
import { FlipTally } from './play-flips.ts'

it.each([
  '{ event: tool.before, tool: Bash, input: { description: plan } }',
  '{ event: tool.before, tool: Skill }',
  '{ event: tool.before, tool: Skill, input: { skill: tdd } }',
  '{ event: tool.after, tool: mcp__linear__get_issue, input: { team: { regex: "^c" } } }',
])('the call of a tool that a flip names opens the gate when it is played: %s', async when => {
  const tally = new FlipTally()
  const gate = `{ initial: closed, transitions: [{ from: closed, to: open, when: ${when} }], rules: [{ while: closed, when: { action: write }, then: deny, message: Not yet. }] }`
  await tally.play(`gates: { g: ${gate} }\n`, 'write: src/a.ts', when)
  expect(tally).toMatchObject({ played: 1, failed: [], unread: [] })
})
