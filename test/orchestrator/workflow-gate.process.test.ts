import { mkdirSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { explainClosedGate } from '../../src/app/cli/commands/orchestrate/workflow-gate.ts'
import { openProject } from '../../src/app/cli/project.ts'
import { newSession, type Session } from '../../src/engine/index.ts'
import { beginBypass } from '../../src/hook/index.ts'
import { SqliteStore, type StoredStep } from '../../src/store/index.ts'
import { Stage } from './stage.ts'

const stages: Stage[] = []
afterEach(() => {
  for (const stage of stages.splice(0)) stage.end()
})

const POLICY = `gates:
  ready: { initial: open }
  strict: { initial: closed, yields: false }
  loose: { initial: closed }
  brief: { initial: closed, transitions: [{ from: open, to: closed, when: { since: { opened: { seconds: 600 } } } }] }
  hourly: { initial: closed, scope: project, transitions: [{ from: open, to: closed, when: { since: { opened: { seconds: 600 } } } }] }
  each: { initial: closed, scope: agent }
  shared: { initial: closed, scope: project }
  begun: { initial: open, scope: project }
  stateless: { rules: [{ when: { event: tool.before, command: git stash }, then: deny, message: no }] }
`
const STEP: StoredStep = {
  ...{ id: 'plan', digest: 'd', state: 'done', round: 1, began: 1, before: {}, artifacts: [], files: [] },
  ...{ backend: 'claude', session: 's' },
}

function stageWith(change: Partial<Session> | undefined, seen = Date.now(), policy = POLICY): Stage {
  const stage = new Stage(policy)
  stages.push(stage)
  mkdirSync(stage.state, { recursive: true, mode: 0o700 })
  const store = new SqliteStore(stage.state)
  if (change)
    store.transact(
      { client: 'claude-code', session: 's' },
      { root: stage.project, now: seen, expiryHours: 12 },
      ({ session }) => ({
        session: { ...newSession('s', stage.project, seen), shared: session.shared, ...change },
        records: [],
        result: 0,
      }),
    )
  store.close()
  return stage
}

function look(stage: Stage, name: string, last: StoredStep | null = STEP): string | undefined {
  const silent = { out: () => {}, err: () => {}, width: 80, isPerson: false, ask: async () => '' }
  return explainClosedGate(
    openProject({ ...silent, env: stage.env, cwd: stage.project }, { stores: false }),
    name,
    last ?? undefined,
  )
}

const opened = (ago: number) => {
  const mark = { at: Date.now() - ago, turn: 0, operations: 0 }
  return { state: 'open', operations: 0, changed: mark, opened: mark } as const
}

describe('a gate between two steps of a workflow', () => {
  it('is open where `signalbox gates` shows it open', () => {
    const stage = stageWith({
      gates: { 'user/loose': opened(1000), 'user/brief': opened(1000), 'user/each@main': opened(1000) },
      shared: { 'user/shared': opened(1000), 'user/hourly': opened(1000) },
    })
    for (const name of ['ready', 'loose', 'brief', 'each', 'shared', 'hourly', 'begun', 'user/loose'])
      expect([name, look(stage, name)]).toEqual([name, undefined])
    expect(look(stage, 'strict')).toBe('the gate `strict` is closed in the session of step `plan`')
  })

  it('is closed once its time is up, though no event has come since', () => {
    const stage = stageWith(
      { gates: { 'user/brief': opened(3_600_000) }, shared: { 'user/hourly': opened(3_600_000) } },
      Date.now() - 3_600_000,
    )
    expect(look(stage, 'brief')).toBe('the gate `brief` is closed in the session of step `plan`')
    expect(look(stage, 'hourly')).toBe('the gate `hourly` is closed in this project')
  })

  it('is closed where the session is not known, however it begins', () => {
    const { session: _, ...without } = STEP
    const stage = stageWith(undefined)
    const unknown = 'the state of the gate `ready` is unknown: the session of step `plan` has expired'
    for (const last of [STEP, without, { ...STEP, backend: 'codex' }, { ...STEP, backend: 'nobody' }])
      expect(look(stage, 'ready', last)).toBe(unknown)
    const silent = { ...STEP, id: 'x' }
    expect(look(stageWith({}, Date.now() - 13 * 3_600_000), 'ready', silent)).toContain(
      'the session of step `x` has expired',
    )
  })

  it('is closed before the first step, unless the project has it', () => {
    const stage = stageWith({})
    expect(look(stage, 'ready', null)).toBe('the gate `ready` belongs to a session, and no earlier step had one')
    expect(look(stage, 'begun', null)).toBeUndefined()
  })

  it('is closed where it has no state, and where there is none', () => {
    const stage = stageWith({})
    expect(look(stage, 'stateless')).toBe('the gate `stateless` has no state (`initial`), so it never opens')
    expect(look(stage, 'nothing')).toBe('there is no gate `nothing` here')
  })

  it('is that of the main agent, where each agent has one', () => {
    const stage = stageWith({ gates: { 'user/each@agent:a1': opened(1000) } })
    expect(look(stage, 'each')).toBe('the gate `each` is closed in the session of step `plan`')
  })

  it.each(['bypass', 'off'])('%s lifts it, if it yields', how => {
    const stage = stageWith({})
    const now = Date.now()
    const until = how === 'off' ? {} : { until: now + 60_000 }
    expect(beginBypass(stage.state, { id: how === 'off' ? 'off' : 'b1', from: now, reason: 'x', ...until })).toBe(true)
    expect(look(stage, 'loose')).toBeUndefined()
    expect(look(stage, 'strict')).toBe('the gate `strict` is closed in the session of step `plan`')
  })

  it('a bypass of its own does not lift one that does not yield', () => {
    const stage = stageWith({})
    const now = Date.now()
    beginBypass(stage.state, { id: 'b1', gate: 'strict', from: now, until: now + 60_000, reason: 'x' })
    expect(look(stage, 'strict')).toContain('is closed')
    expect(look(stage, 'loose')).toContain('is closed')
  })
})
