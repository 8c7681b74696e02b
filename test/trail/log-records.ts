import type { AuditRecord } from '../../src/store/index.ts'
import { denied } from '../support/store/audit-records.ts'

export const AT = Date.UTC(2026, 10, 16, 14, 6, 0)
export const at = (seconds: number) => ({ at: AT + seconds * 1000 })

/** Of two clients: calls, refusals, a question, an error, a gate that only observes, a gate that opens. */
export const PAST: readonly Partial<AuditRecord>[] = [
  { ...at(0), client: 'claude-code', session: '4c1fa', acts: ['run npm test'] },
  {
    ...at(1),
    client: 'claude-code',
    session: '4c1fa',
    event: 'tool.after',
    name: 'PostToolUse',
    acts: ['run npm test'],
  },
  ...[2, 3, 4].map(nth => ({
    ...at(nth),
    ...denied('push-needs-tests'),
    client: 'claude-code',
    session: '4c1fa',
    acts: ['run git push origin main'],
  })),
  {
    ...at(5),
    client: 'gemini-cli',
    session: '9b02',
    tool: 'Edit',
    acts: ['write /p/a.ts'],
    errors: ['gate no-secrets: no reply within 2 s'],
  },
  {
    ...at(6),
    client: 'gemini-cli',
    session: '9b02',
    decision: 'ask',
    gate: 'user/look',
    rule: 'ask',
    matches: [{ gate: 'user/look', rule: 'ask', decision: 'ask', effect: 'ask', mode: 'block' }],
    acts: ['run cat x', 'run rm y'],
    ...{ caller: 'Explore', agent: 'a1' },
  },
  {
    ...at(7),
    client: 'gemini-cli',
    session: '9b02',
    acts: ['run ls'],
    ...{ caller: 'Explore', agent: 'a2' },
    matches: [{ gate: 'project/watching', rule: 'w', decision: 'deny', effect: 'none', mode: 'observe' }],
  },
  {
    ...at(8),
    client: 'gemini-cli',
    session: '9b02',
    event: 'tool.after',
    acts: ['run npm test'],
    moves: [{ gate: 'project/push-needs-tests', from: 'closed', to: 'open' }],
  },
]
