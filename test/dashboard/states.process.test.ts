import { describe, expect, it } from 'vitest'
import type { DecisionDetail, JudgeReply, SessionDetail } from '../../src/app/dashboard/api.ts'
import { payloadOf } from '../support/bash-payload.ts'
import { type Opened, withDashboard } from './open-dashboard.ts'

const POLICY = `
gates:
  own-tests:
    scope: agent
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }
    rules:
      - { while: closed, when: { event: tool.before, command: git push }, then: deny, message: Test first. }
  freeze:
    scope: project
    initial: open
    transitions:
      - { from: open, to: closed, when: { event: tool.after, command: npm run freeze, succeeded: true } }
    rules:
      - { while: closed, when: { event: tool.before, command: npm run deploy }, then: deny, message: Frozen. }
  reviewed:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: tool.after, command: npm run review, succeeded: true } }
    rules:
      - { while: closed, when: { event: tool.before, command: git merge }, then: deny, message: Review first. }
`

const A = { agent_id: 'a@1', agent_type: 'explorer' }
const B = { agent_id: 'b2', agent_type: 'explorer' }
const after = { hook_event_name: 'PostToolUse', tool_response: { stdout: '', stderr: '', interrupted: false } }

const told = ({ daemon, sandbox: { project } }: Opened, command: string, more: object = {}) =>
  daemon.call('', { payload: payloadOf(command, project, more) })

/** By page, by the command, and in the playground: decision and notes. */
async function ways({ visitor, sandbox }: Opened, n: number) {
  const page = await visitor.get<DecisionDetail>(`/api/decisions/${n}`)
  const { now } = await visitor.post<JudgeReply>('/api/judge', { record: n })
  const said = JSON.parse((await sandbox.run(['explain', String(n), '--json'])).stdout)
  return {
    all: [page.explained?.decision, said.decision, now.decision],
    notes: page.explained?.notes,
    said: said.notes,
  }
}

describe('the states that gates were in', { timeout: 60_000 }, () => {
  it('of each agent and of the whole project: explained as it was decided', () =>
    withDashboard(async opened => {
      await told(opened, 'git push', A) // 1
      await told(opened, 'npm test', { ...A, ...after }) // 2
      await told(opened, 'git push', A) // 3
      await told(opened, 'git push', B) // 4
      await told(opened, 'git push') // 5
      await told(opened, 'npm run freeze', { ...after, session_id: 'p1' }) // 6
      await told(opened, 'npm run deploy', { session_id: 'p2' }) // 7
      const expected = [
        [3, 'pass'],
        [4, 'deny'],
        [7, 'deny'],
      ] as const
      for (const [n, decision] of expected) {
        const { all, notes, said } = await ways(opened, n)
        expect([n, ...all]).toEqual([n, decision, decision, decision])
        expect(said).toEqual(notes)
        expect(notes).toEqual([])
      }
      const lines = async (session: string) => {
        const { lanes, gates } = await opened.visitor.get<SessionDetail>(`/api/sessions/claude-code/${session}`)
        return gates.map(({ name, lane, spans }) => [
          ...[name, lane === undefined ? '' : lanes[lane]?.name],
          ...spans.map(({ state, n }) => `${state} ${n ?? '-'}`),
        ])
      }
      expect(await lines('s')).toEqual([
        ['own-tests', 'main', 'closed -'],
        ['own-tests', 'explorer 1', 'closed -', 'open 2'],
        ['own-tests', 'explorer 2', 'closed -'],
        // by another session
        ['freeze', '', 'open -', 'closed 6'],
        ['reviewed', '', 'closed -'],
      ])
      expect(await lines('p2')).toEqual([
        ['own-tests', 'main', 'closed -'],
        ['freeze', '', 'closed -'],
        ['reviewed', '', 'closed -'],
      ])
      for (const n of [1, 2, 5, 6]) {
        const { record, explained } = await opened.visitor.get<DecisionDetail>(`/api/decisions/${n}`)
        expect([n, explained?.decision]).toEqual([n, record.decision])
      }
    }, POLICY))

  it('long ago, and where no record tells of it: what was decided is believed', () =>
    withDashboard(async opened => {
      const { sandbox } = opened
      await told(opened, 'npm run review', after)
      const [first] = sandbox.records()
      if (!first) throw new Error('nothing is on record')
      const keep = (records: readonly (typeof first)[]) =>
        sandbox.store(store =>
          store.transact(
            { client: 'claude-code', session: 's' },
            { root: sandbox.project, now: Date.now(), expiryHours: 1 },
            () => ({ records, result: 0 }),
          ),
        )
      const idle = { ...first, event: 'tool.before' as const, acts: ['run echo'], moves: [] }
      keep(Array.from({ length: 6000 }, () => idle))
      await told(opened, 'git merge x') // 6002: still open
      expect((await ways(opened, 6002)).all).toEqual(['pass', 'pass', 'pass'])
      const { gates } = await opened.visitor.get<SessionDetail>('/api/sessions/claude-code/s?before=4000&limit=100')
      const spans = gates.find(one => one.name === 'reviewed')?.spans
      expect(spans?.map(({ state, n, to }) => [state, n, to === null])).toEqual([['open', null, false]])
      // its session was forgotten meanwhile, and nothing on record says so
      keep([{ ...idle, acts: ['run git merge y'], decision: 'deny', ...DECIDED }])
      const { all, notes } = await ways(opened, 6003)
      expect(all).toEqual(['deny', 'deny', 'deny'])
      expect(notes).toEqual(['the state of reviewed was not recorded: closed is inferred from the decision'])
    }, POLICY))
})

const DECIDED = {
  ...{ gate: 'project/reviewed', rule: 'rule-1', reason: 'Review first.' },
  matches: [{ gate: 'project/reviewed', rule: 'rule-1', decision: 'deny', effect: 'deny', mode: 'block' }],
} as const
