import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type {
  DashboardStatus,
  DecisionDetail,
  DecisionPage,
  GateDetail,
  GateList,
  JudgeReply,
  Overview,
  PolicyDetail,
  SessionDetail,
  SessionPage,
  VerificationState,
} from '../../src/app/dashboard/api.ts'
import { payloadOf } from '../support/bash-payload.ts'
import { until } from '../support/daemon.ts'
import { past } from '../support/store/past-records.ts'
import { Visitor } from './dashboard-visitor.ts'
import { GATES, type Opened, withDashboard } from './open-dashboard.ts'

const sub = { agent_id: 'a1', agent_type: 'reviewer' }
const twin = { ...sub, agent_id: 'a2' }

/** A short session: refused, tested, let through; one call by each of two subagents of a type. */
async function story({ daemon, sandbox: { project } }: Opened): Promise<void> {
  const after = { hook_event_name: 'PostToolUse', tool_response: { stdout: '', stderr: '', interrupted: false } }
  await daemon.call('git commit -m x')
  await daemon.call('', { payload: payloadOf("echo '<script>alert(1)</script>'", project, sub) })
  await daemon.call('', { payload: payloadOf('npm test', project, twin) })
  await daemon.call('', { payload: payloadOf('npm test', project, after) })
  await daemon.call('git commit -m y')
  await daemon.call('git push origin main')
}

const whole = { project: expect.any(String) }

describe('what the pages are told', { timeout: 60_000 }, () => {
  it('of a real session: feed, filters, explanation, timeline, gate, numbers, policy, proof', () =>
    withDashboard(async opened => {
      const { visitor, sandbox, daemon } = opened
      await story(opened)
      const words = ({ rows }: DecisionPage) => rows.map(one => [one.n, one.outcome, one.what, one.gate])
      const feed = await visitor.get<DecisionPage>('/api/decisions')
      expect(words(feed)).toEqual([
        [6, 'would', 'git push origin main', 'project/no-push'],
        [5, 'pass', 'git commit -m y', undefined],
        [4, 'opens', 'npm test', 'project/tests-before-commit'],
        [3, 'pass', 'npm test', undefined],
        [2, 'pass', expect.stringContaining('<script>'), undefined],
        [1, 'DENY', 'git commit -m x', 'project/tests-before-commit'],
      ])
      expect(feed).toMatchObject({ before: null, last: 6, searched: 6, unreadable: [] })
      const numbers = async (query: string) =>
        (await visitor.get<DecisionPage>(`/api/decisions?${query}`)).rows.map(one => one.n)
      expect(await numbers('decision=deny,would')).toEqual([6, 1])
      expect(await numbers('gate=tests-before-commit')).toEqual([4, 1])
      expect(await numbers('client=claude&text=COMMIT')).toEqual([5, 4, 1])
      expect(await numbers('text=<SCRIPT>')).toEqual([2])
      expect(await numbers('session=other')).toEqual([])
      expect(await numbers(`project=${sandbox.project}&decision=deny`)).toEqual([1])
      expect(await numbers('project=/elsewhere')).toEqual([])
      expect(await numbers('limit=2')).toEqual([6, 5])
      expect(await numbers('limit=2&before=5')).toEqual([4, 3])
      expect(await numbers('after=3')).toEqual([6, 5, 4])
      expect(await numbers('after=3&limit=1')).toEqual([4])

      const one = await visitor.get<DecisionDetail>('/api/decisions/5')
      const renamed = (text: string) =>
        text.replaceAll(sandbox.project, '/home/dev/proj').replaceAll(sandbox.home, '/home/dev')
      const told = renamed(JSON.stringify({ id: 5, recorded: one.record, ...one.explained }))
      expect(JSON.parse(told)).toEqual(JSON.parse((await sandbox.run(['explain', '5', '--json'])).stdout))
      expect(one).toMatchObject({ row: { n: 5, decision: 'pass' }, earlier: 4, later: 6 })

      const { rows } = await visitor.get<SessionPage>('/api/sessions')
      const row = {
        client: 'claude-code',
        session: 's',
        project: sandbox.project,
        first: 1,
        last: 6,
        events: 6,
        calls: 5,
      }
      expect(rows).toEqual([
        {
          ...row,
          denied: 1,
          asked: 0,
          agents: 2,
          isLive: true,
          firstAt: expect.any(Number),
          lastAt: expect.any(Number),
        },
      ])
      const session = await visitor.get<SessionDetail>('/api/sessions/claude-code/s')
      expect(session.lanes.map(({ name, caller, agent, events }) => [name, caller, agent, events])).toEqual([
        ['main', 'main', undefined, 4],
        ['reviewer 1', 'reviewer', 'a1', 1],
        ['reviewer 2', 'reviewer', 'a2', 1],
      ])
      expect(session.lanes.map(one => one.denied)).toEqual([1, 0, 0])
      expect(session.events.map(({ n, lane }) => [n, lane])).toEqual([
        [1, 0],
        [2, 1],
        [3, 2],
        [4, 0],
        [5, 0],
        [6, 0],
      ])
      const [line] = session.gates
      expect(line).toMatchObject({ gate: 'project/tests-before-commit', name: 'tests-before-commit' })
      expect(line?.spans.map(({ state, to, n }) => [state, to === null, n])).toEqual([
        ['closed', false, null],
        ['open', true, 4],
      ])
      expect(session.stops).toMatchObject([{ gate: 'project/tests-before-commit', tries: 1, outcome: 'fixed' }])

      const overview = await visitor.get<Overview>('/api/overview?since=1h')
      expect(overview).toMatchObject({
        sessions: 1,
        totals: { invocations: 6, calls: 5, denied: 1, blockRate: 0.2 },
        counted: { upTo: 6, of: 6 },
        stuck: [],
      })
      expect(overview.gates.find(one => one.name === 'tests-before-commit')).toMatchObject({
        ...{ fired: 1, fixed: 1, stuck: 0, week: [0, 0, 0, 0, 0, 0, 1] },
      })
      expect(overview.p95).toHaveLength(overview.series.at.length)
      expect(overview.p95.filter(one => one !== null)).toEqual([overview.totals.latencyMs.p95])
      expect(overview.unmatched.map(one => one.gate)).toEqual(['project/never'])
      expect(overview.top.map(one => one.name).sort()).toEqual(['no-push', 'tests-before-commit'])

      const { gates } = await visitor.get<GateList>('/api/gates')
      expect(gates.map(({ id, mode, live }) => [id, mode, live.open, live.closed]).slice(0, 3)).toEqual([
        ['project/tests-before-commit', 'block', 1, 0],
        ['project/no-push', 'observe', 0, 0],
        ['project/never', 'block', 0, 0],
      ])
      const gate = await visitor.get<GateDetail>('/api/gates/project%2Ftests-before-commit')
      expect(gate.states.map(({ state }) => state)).toEqual(['closed', 'open'])
      expect(gate.states[0]?.lines).toContainEqual(expect.stringContaining('rule-1 denies'))
      expect(gate.live).toMatchObject([{ client: 'claude-code', session: 's', state: 'open' }])
      expect(gate.history.rows.map(({ n }) => n)).toEqual([4, 1])
      expect(gate).toMatchObject({
        next: null,
        rules: [{ id: 'rule-1', decision: 'deny', while: 'closed', numbers: { fired: 1 } }],
      })
      const trial = await visitor.get<GateDetail>('/api/gates/project%2Fno-push')
      expect(trial.next).toMatchObject({ mode: 'warn', wouldDeny: 1, wouldAsk: 0, wouldWarn: 1 })

      const policy = await visitor.get<PolicyDetail>('/api/policy')
      expect(policy).toMatchObject({ ...whole, problems: [], proof: { state: 'unknown' } })
      expect(policy.layers.map(({ layer, state, text }) => [layer, state, text])).toEqual([
        ['project', 'active', GATES],
        ['built-in', 'active', undefined],
      ])
      let proof: VerificationState = { state: 'unknown' }
      for (const end = Date.now() + 20_000; proof.state !== 'done' && Date.now() < end; await pause(100))
        proof = await visitor.get('/api/proof')
      expect(proof).toMatchObject({ state: 'done', complete: true, findings: [] })
      expect(daemon.hasEnded).toBe(false)
    }))

  it('a newcomer hears why there is nothing to see', () =>
    withDashboard(async ({ visitor, sandbox, daemon }) => {
      const before = await visitor.get<DashboardStatus>('/api/situation')
      expect(before).toMatchObject({
        verdict: { word: 'NOT ENFORCING' },
        empty: { cause: 'unwired', next: 'signalbox init' },
        auditLog: { first: 0, last: 0, lastAt: null },
        projects: [{ root: sandbox.project, sessions: 0, lastAt: null }],
      })
      expect(await visitor.get('/api/decisions')).toEqual({
        rows: [],
        before: null,
        last: 0,
        searched: 0,
        unreadable: [],
      })
      expect(await visitor.get('/api/sessions')).toMatchObject({ rows: [] })
      expect(await visitor.get<Overview>('/api/overview')).toMatchObject({
        sessions: 0,
        totals: { calls: 0, blockRate: null },
      })
      expect(await visitor.get<GateList>('/api/gates')).toMatchObject({
        gates: [{ numbers: { fired: 0 } }, {}, {}, {}],
      })
      await daemon.call('ls')
      const after = await visitor.get<DashboardStatus>('/api/situation')
      expect(after).toMatchObject({
        empty: null,
        auditLog: { first: 1, last: 1 },
        projects: [{ root: sandbox.project, sessions: 1 }],
      })
    }))

  it('the playground judges what is typed, sent or on record, now and with a draft; nothing is stored', () =>
    withDashboard(async opened => {
      const { visitor, sandbox, daemon } = opened
      await daemon.call('git commit -m x')
      const file = join(sandbox.project, 'signalbox.yaml')
      const judge = (request: object) => visitor.post<JudgeReply>('/api/judge', request)
      const decisions = async (request: object) => {
        const { now, draft } = await judge(request)
        return [now.decision, draft?.decision]
      }
      const client = 'claude-code'
      expect(await decisions({ client, event: 'git commit -m x' })).toEqual(['deny', undefined])
      expect(await decisions({ client, event: 'git commit -m x', given: { 'tests-before-commit': 'open' } })).toEqual([
        'pass',
        undefined,
      ])
      expect(await decisions({ client, event: 'git push', policy: GATES.replace('observe', 'block') })).toEqual([
        'pass',
        'deny',
      ])
      expect(await decisions({ client, event: 'write: src/a.ts' })).toEqual(['pass', undefined])
      expect(await decisions({ record: 1, policy: 'gates: {}' })).toEqual(['deny', 'pass'])
      const payload = JSON.parse(payloadOf('git commit -m x', sandbox.project))
      expect(await decisions({ client, payload })).toEqual(['deny', undefined])
      const broken = await judge({ client, event: 'ls', policy: 'gates:\n  a: { rulez: [] }\n' })
      expect(broken.draft?.problems).toMatchObject([{ line: 2, message: expect.stringContaining('rulez') }])
      // a module that a draft names is not run
      const code = 'gates:\n  evil: { code: ./evil.mjs, onError: closed }\n'
      expect((await judge({ client, event: 'ls', policy: code })).draft?.decision).toBe('pass')
      const wrong = [
        [
          { client: 'claude', event: 'ls' },
          expect.stringContaining('unknown client `claude`; did you mean `claude-code`?'),
        ],
        [{ client, event: 'after: npm test' }, expect.stringContaining('{ shell: npm test, after: succeeded }')],
        [{ client, event: 'agent.stop: reviewer' }, expect.stringContaining('`stops: reviewer`')],
        [{ client, event: '{ shel: ls }' }, expect.stringContaining('shel')],
        [{ client, event: 'ls', given: { nothing: 'open' } }, expect.stringContaining('unknown gate `nothing`')],
        [{ client }, 'send exactly one of `event`, `payload` and `record`'],
        [{ client, event: 'ls', evnt: 1 }, expect.stringContaining('unknown key `evnt`')],
        [{ client, event: 3 }, '`event` must be a string'],
        [{ client, event: 'echo a; '.repeat(3000) }, 'the call has 3000 actions: the playground evaluates at most 100'],
        [{ client, event: 'ls', project: '../x' }, '`project` must be the root folder of a project'],
      ] as const
      for (const [body, error] of wrong) {
        const headers = { 'Content-Type': 'application/json' }
        const answer = await visitor.send('/api/judge', { method: 'POST', headers, body: JSON.stringify(body) })
        expect([answer.status, JSON.parse(answer.text).error]).toEqual([400, error])
      }
      expect(sandbox.records()).toHaveLength(1)
      expect(readFileSync(file, 'utf8')).toBe(GATES)
    }))

  it('the stream tells of each decision as it is made, goes on where it was, and by the same filters', () =>
    withDashboard(async ({ visitor, daemon }) => {
      await daemon.call('ls')
      const [all, denied] = [visitor.listen(), visitor.listen('/api/stream?decision=deny')]
      await until(() => all.of('beat').length === 1 && denied.of('beat').length === 1)
      await daemon.call('git commit -m x')
      await daemon.call('echo 2')
      await until(() => all.rows.length === 2 && denied.rows.length === 1)
      expect(all.rows.map(({ n, outcome, what }) => [n, outcome, what])).toEqual([
        [2, 'DENY', 'git commit -m x'],
        [3, 'pass', 'echo 2'],
      ])
      expect(denied.rows.map(({ n }) => n)).toEqual([2])
      expect(all.heard.at(-1)?.id).toBe('3')
      all.end()
      await daemon.call('echo 3')
      const again = visitor.listen('/api/stream', '2')
      await until(() => again.rows.length === 2)
      expect(again.rows.map(({ n }) => n)).toEqual([3, 4])
      for (const one of [denied, again]) one.end()
    }))

  it('who is far behind is brought to the end, and told what was left out', () =>
    withDashboard(async ({ visitor, daemon, sandbox }) => {
      await daemon.call('ls')
      const records = [...past({ records: 2500, from: Date.now(), days: 0.001 })]
      const circumstances = { root: sandbox.project, now: Date.now(), expiryHours: 1 }
      sandbox.store(store =>
        store.transact({ client: 'past', session: '' }, circumstances, () => ({ records, result: 0 })),
      )
      const late = visitor.listen('/api/stream?all=1', '1')
      await until(() => late.rows.at(-1)?.n === 2501)
      expect(late.of('skipped').map(({ data }) => data)).toEqual([{ n: 2300, from: 2, to: 2301 }])
      expect(late.rows.map(({ n }) => n)).toEqual(Array.from({ length: 200 }, (_, nth) => 2302 + nth))
      late.end()
    }))
})

const pause = (ms: number): Promise<void> => new Promise(done => setTimeout(done, ms))

it('a page is of the project that the dashboard was opened in, whoever calls elsewhere', () =>
  withDashboard(async ({ visitor, sandbox, daemon }) => {
    const other = join(sandbox.folder, 'other')
    // a folder above may have one
    mkdirSync(join(other, '.git'), { recursive: true })
    writeFileSync(
      join(other, 'signalbox.yaml'),
      GATES.replace('no-push', 'elsewhere').replace('mode: observe', 'mode: block'),
    )
    await daemon.call('git commit -m x')
    for (const nth of [1, 2, 3, 4, 5, 6])
      await daemon.call('', {
        cwd: other,
        payload: payloadOf('git push', other, { session_id: 'b', tool_use_id: `t${nth}` }),
      })
    const { project, projects } = await visitor.get<DashboardStatus>('/api/situation')
    expect([project, projects.map(one => one.root)]).toEqual([sandbox.project, [other, sandbox.project]])
    const judged = await visitor.post<JudgeReply>('/api/judge', { client: 'claude-code', event: 'git push' })
    expect([judged.project, judged.now.decision]).toEqual([sandbox.project, 'pass'])
    const { stuck } = await visitor.get<Overview>('/api/overview')
    expect(stuck).toMatchObject([{ project: other, gate: 'project/elsewhere', tries: 6 }])
    const missing = await visitor.send('/api/gates/project%2Felsewhere')
    expect([missing.status, JSON.parse(missing.text).error]).toEqual([
      404,
      `\`project/elsewhere\` is a gate of another project: ${other}`,
    ])
    // said again in another folder
    const again = await sandbox.run(['ui', '--json'], { cwd: other })
    const next = await Visitor.enter(JSON.parse(again.stdout).url)
    await expect.poll(async () => (await next.get<DashboardStatus>('/api/situation')).project).toBe(other)
  }))
