import { expect, it } from 'vitest'
import { describeRecord, outcomeLabelOf } from '../../src/audit/index.ts'
import { past } from '../support/store/past-records.ts'

it.each([
  ['mcp__github__create_issue', ['mcp'], 'mcp__github__create_issue'],
  ['NotebookThing', ['other'], 'NotebookThing'],
  [undefined, ['other'], 'other'],
  ['Bash', ['run git push', 'write a.txt'], 'git push; write a.txt'],
])('%s: %j is said as %s', (tool, acts, said) => {
  const [one] = past({ records: 1, from: 0, days: 1 })
  if (!one) throw new Error('no past')
  const { tool: _, ...record } = one
  const told = { ...record, acts, decision: 'pass', errors: [], matches: [], ...(tool && { tool }) } as const
  expect(describeRecord(told)).toBe(said)
})

it.each(['pass', 'allow'] as const)('%s is said as it was decided: only a rule allows', decision => {
  const [one] = past({ records: 1, from: 0, days: 1 })
  if (!one) throw new Error('no past')
  expect(outcomeLabelOf({ ...one, event: 'tool.before', decision, errors: [], matches: [], moves: [] })).toBe(decision)
})

it.each([
  ['Copilot CLI sends every call that passes once more', 'pass', '-'],
  ['Claude Code asks the person after `ask`, who has not answered yet', 'pass', '-'],
  ['a rule about requests refuses', 'deny', 'DENY'],
  ['a rule about requests allows', 'allow', 'allow'],
] as const)('a request for permission: %s', (_, decision, word) => {
  const [one] = past({ records: 1, from: 0, days: 1 })
  if (!one) throw new Error('no past')
  const record = { ...one, event: 'permission.request', decision, errors: [], matches: [], moves: [] } as const
  expect(outcomeLabelOf(record)).toBe(word)
})
