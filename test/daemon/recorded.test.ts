import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { beginBypass } from '../../src/hook/index.ts'
import { payloadOf, type Scenario } from '../scenarios/scenario.ts'
import { recordedSession } from '../support/clients/captures.ts'
import { BEGAN, bothWays, type Event, type Place } from './daemon-and-one-shot.ts'

const PACKS = 'use: [router-first, orchestrator-boundary, master-orchestrator, tool-routing]'
const GATES = `
gates:
  tests-first:
    initial: closed
    scope: project
    transitions:
      - { from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }
      - { from: open, to: closed, when: { event: tool.before, action: [write, delete] } }
    rules:
      - { while: closed, when: { event: tool.before, command: git commit }, then: deny, message: Run the tests first. }
`

const SESSIONS = join(import.meta.dirname, '../captures/sessions')
const SCENARIOS = join(import.meta.dirname, '../scenarios')

/** A process for each event and a process that stays: the same answers, the same state, the same trail. */
describe('recorded sessions', () => {
  const names = readdirSync(SESSIONS).map(file => file.replace('.jsonl', ''))
  const client = (name: string) => name.replace(/^(copilot-cli).*/, '$1')
  const cases = names.flatMap(name =>
    Object.entries({ nothing: undefined, gates: GATES, packs: PACKS }).map(([on, project]) => ({ name, on, project })),
  )
  it.each(cases)('$name, with $on', { timeout: 60_000 }, async ({ name, project }) => {
    const events = recordedSession(name).map(payload => ({ client: client(name), payload: JSON.stringify(payload) }))
    const { oneShot, daemon } = await bothWays({ project, events })
    expect(daemon).toEqual(oneShot)
    // what came twice is there once
    expect(oneShot.records.length).toBeGreaterThanOrEqual(events.length / 2)
    expect(oneShot.trail).toEqual({ ok: true, flaws: [] })
  })
})

describe('scenarios', () => {
  const files = readdirSync(SCENARIOS).filter(name => name.endsWith('.yaml'))
  const all: readonly Scenario[] = files.flatMap(file =>
    parse(readFileSync(join(SCENARIOS, file), 'utf8'), { maxAliasCount: -1 }),
  )
  it.each(all.map((one, nth) => ({ name: `${one.name} ${nth}`, one })))(
    '$name',
    { timeout: 60_000 },
    async ({ one }) => {
      const events = one.steps.map((step, nth) => ({
        client: one.client,
        payload: JSON.stringify(payloadOf(one, step, nth)),
        ...(step.env && { env: step.env }),
      }))
      const project = stringify({ use: one.use, ...one.policy })
      const { oneShot, daemon } = await bothWays({ project, user: one.user && stringify(one.user), events })
      expect(daemon).toEqual(oneShot)
    },
  )
})

it('a time is told as the caller’s clock shows it, wherever the daemon was started', async () => {
  const lift = ({ state }: Place) =>
    beginBypass(state, { id: 'b', from: BEGAN, until: BEGAN + 3_600_000, reason: 'a demo' })
  const say = (env: Record<string, string>): Event => {
    const call = { session_id: 's', cwd: '/home/dev/proj', hook_event_name: 'Stop' }
    return { client: 'claude-code', payload: JSON.stringify(call), env, change: lift }
  }
  const zones = ['Asia/Tokyo', ':America/New_York', 'UTC', 'no such place']
  const { oneShot, daemon } = await bothWays({ events: zones.map(TZ => say({ TZ })) })
  expect(daemon).toEqual(oneShot)
  const told = daemon.replies.map(
    reply => /until (?:\w{3} \w{3} \d\d \d{4} )?(\d\d:\d\d)/.exec(JSON.stringify(reply))?.[1],
  )
  expect(told.slice(0, 3)).toEqual(['18:00', '04:00', '09:00'])
})
