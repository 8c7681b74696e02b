import type { AuditRecord } from '../src/store/index.ts'
import { redactRecord } from '../src/store/redact/redact.ts'
import { interleaved, line, type Result, report } from './measure.ts'

const BOUND_US = 2

const recordOf = (acts: readonly string[], more: Partial<AuditRecord> = {}): AuditRecord => ({
  at: 1_800_000_000_000,
  client: 'claude-code',
  session: 'd1339dd2-a210-4b5c-8a31-5d7755943b6c',
  event: 'tool.before',
  name: 'PreToolUse',
  caller: 'main',
  turn: 3,
  tool: 'Bash',
  acts,
  decision: 'pass',
  matches: [],
  moves: [],
  notes: [],
  errors: [],
  policy: 'd41d8cd98f00b204',
  ms: 1.5,
  ...more,
})

const RECORDS: Readonly<Record<string, AuditRecord>> = {
  'git status': recordOf(['run git status']),
  'a test run and its file': recordOf([
    'run npm test -- --reporter=verbose src/store',
    'run tail -20',
    'write /home/dev/proj/out/report.json',
  ]),
  'an edit': recordOf(['write /home/dev/proj/src/components/navigation/menu-button.tsx'], { tool: 'Edit' }),
  'a refused commit': recordOf(['run git commit -am fix sum'], {
    decision: 'deny',
    gate: 'project/tests-before-commit',
    rule: 'commit',
    reason: 'Run `npm test` first; committing opens when it passes and closes at the next edit.\nTo unlock: npm test',
  }),
  'a call with a token': recordOf(['run curl -H Authorization: Bearer abcdef0123456789 https://h.example/x?token=abc']),
}

/** What the audit trail's hiding of secrets costs an event. */
export function benchRedact(): Result {
  const records = Object.entries(RECORDS)
  const works = [
    () => JSON.stringify(RECORDS['git status']),
    ...records.map(
      ([, record]) =>
        () =>
          redactRecord(record),
    ),
  ]
  const [floor = [], ...samples] = interleaved(works, { rounds: 900, batch: 200 })
  const lines = [
    line('JSON.stringify of a record (floor)', floor),
    ...records.map(([name], nth) => line(name, samples[nth] ?? [])),
  ]
  const most = Math.max(...lines.slice(1, 5).map(({ us }) => us))
  return report('redact: one record, before it is written', lines, [
    { text: `an ordinary event: ${most.toFixed(2)} µs ≤ ${BOUND_US} µs`, ok: most <= BOUND_US },
  ])
}
