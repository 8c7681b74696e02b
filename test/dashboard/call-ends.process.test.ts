import { describe, expect, it } from 'vitest'
import type { DecisionPage, SessionDetail } from '../../src/app/dashboard/api.ts'
import { callResults, hidesFailure } from '../../src/app/dashboard/records/call-results.ts'
import type { AuditRecord } from '../../src/store/index.ts'
import { payloadOf } from '../support/bash-payload.ts'
import { until } from '../support/daemon.ts'
import { type Opened, withDashboard } from './open-dashboard.ts'

const PASSED = { hook_event_name: 'PostToolUse', tool_response: { stdout: '', stderr: '', interrupted: false } }
const FAILED = { hook_event_name: 'PostToolUseFailure', error: 'Exit code 1' }

const play = async ({ daemon, sandbox }: Opened, line: string, ...ends: readonly object[]): Promise<void> => {
  for (const more of [{}, ...ends]) await daemon.call('', { payload: payloadOf(line, sandbox.project, more) })
}

describe('how a call ended', { timeout: 60_000 }, () => {
  it('stands beside the call in the feed and in its session: ok, failed, unknown, or nothing yet', () =>
    withDashboard(async opened => {
      await play(opened, 'npm test', FAILED)
      await play(opened, 'npm test', PASSED)
      await play(opened, 'npm test | tail -5', PASSED)
      await play(opened, 'npm test -- one')
      const { rows } = await opened.visitor.get<DecisionPage>('/api/decisions')
      const told = (all: DecisionPage['rows']) =>
        all.filter(one => one.event === 'tool.before').map(one => [one.what, one.ended])
      const expected = [
        ['npm test', 'failed'],
        ['npm test', 'ok'],
        ['npm test | tail -5', 'unknown'],
        ['npm test -- one', undefined],
      ]
      expect(told([...rows].reverse())).toEqual(expected)
      const [first] = rows
      const { events } = await opened.visitor.get<SessionDetail>(`/api/sessions/claude-code/${first?.session}`)
      expect(told(events)).toEqual(expected)
      expect(events.filter(one => one.event === 'tool.failed').map(one => one.ended)).toEqual(['failed'])
    }))

  it('is sent to pages that show the call already', () =>
    withDashboard(async opened => {
      await play(opened, 'npm test')
      const heard = opened.visitor.listen()
      await until(() => heard.of('beat').length > 0)
      await play(opened, 'ls', PASSED)
      await opened.daemon.call('', { payload: payloadOf('npm test', opened.sandbox.project, FAILED) })
      const ends = () => heard.of('ends').flatMap(({ data }) => data.ends)
      await until(() => ends().length > 1)
      heard.end()
      expect(ends()).toEqual([
        { n: 2, ended: 'ok' },
        { n: 1, ended: 'failed' },
      ])
    }))

  it.each([
    ['npm test', false],
    ['npm test 2>&1', false],
    ['npm test > out.log 2>&1', false],
    ['npm test &> out.log', false],
    ['cd a && npm test', false],
    ['grep "a|b" file', false],
    ["awk '{ print; }' file", false],
    ['find . -exec ls {} \\;', false],
    ['npm test | tail -5', true],
    ['npm test |& tail', true],
    ['npm test || true', true],
    ['npm test; ls', true],
    ['npm test & ls', true],
    ['npm test &', true],
    ['npm test\nls', true],
    ['grep "a|b" file | head', true],
  ])('the success of `%s` hides a failure: %s', (line, is) => expect(hidesFailure(line)).toBe(is))

  it('belongs to the last such call without an end: what a person turned down never ends', () => {
    const record = (event: string, more: Partial<AuditRecord> = {}): AuditRecord =>
      ({ event, client: 'c', session: 's', tool: 'Bash', acts: ['run ls'], decision: 'pass', ...more }) as AuditRecord
    const ends = (...records: readonly AuditRecord[]) =>
      [...callResults(records.map((one, nth) => ({ seq: nth + 1, hash: '', record: one })))].map(([n, { ended }]) => [
        n,
        ended,
      ])
    const before = record('tool.before')
    const after = record('tool.after', { ended: 'succeeded' })
    expect(ends(record('tool.before', { decision: 'ask' }), before, after)).toEqual([[2, 'ok']])
    expect(ends(before, before, after, record('tool.failed'))).toEqual([
      [2, 'ok'],
      [1, 'failed'],
    ])
    expect(ends(before, record('tool.after', { ended: 'succeeded', agent: 'a1' }))).toEqual([])
    expect(ends(before, record('tool.after', { ended: 'succeeded', session: 't' }))).toEqual([])
    expect(ends(record('tool.before', { decision: 'deny' }), after)).toEqual([])
    expect(ends(before, record('tool.after', { ended: 'unknown' }))).toEqual([[1, 'unknown']])
    expect(ends(before, record('tool.after'))).toEqual([])
  })
})
