import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AuditRecord } from '../../src/store/index.ts'
import { type Stage, withStage } from '../support/in-process-command.ts'
import { withSandbox } from '../support/sandbox.ts'
import { parseExposition } from '../support/store/prometheus-text.ts'
import { recordOf } from '../support/store/records.ts'
import { put } from '../support/store/stats-book.ts'

const POLICY = `gates:
  push-needs-tests:
    initial: closed
    transitions:
      - { from: closed, to: open, when: { event: tool.after, command: npm test, succeeded: true } }
    rules:
      - { id: untested, while: closed, when: { event: tool.before, command: git push }, then: deny, message: Test first. }
  no-stash:
    rules: [{ id: stash, when: { event: tool.before, command: git stash }, then: deny, message: Do not. }]
  no-rebase:
    mode: observe
    rules: [{ id: rebase, when: { event: tool.before, command: git rebase }, then: deny, message: Do not. }]
  lifted:
    rules: [{ id: always, when: { event: tool.before, command: make }, then: deny, message: Do not. }]
`
const MINUTE = 60_000
const NOW = Date.now()
const push = { acts: ['run git push'], client: 'claude-code' }
const gate = (name: string, rule: string) =>
  ({ gate: `project/${name}`, rule, decision: 'deny', effect: 'deny', mode: 'block' }) as const
const tests = gate('push-needs-tests', 'untested')
const refused = {
  decision: 'deny',
  gate: tests.gate,
  rule: tests.rule,
  matches: [tests],
  reason: 'Test first.'.padEnd(400, '.'),
} as const
const opens = [{ gate: tests.gate, from: 'closed', to: 'open' }] as const

/** Ten stops: eight fixed, one bypassed, one stuck; a gate on trial that speaks, one that is always lifted, one that is silent. */
function story(now = NOW): readonly AuditRecord[] {
  const at = (minute: number) => now - 180 * MINUTE + minute * MINUTE
  const lifted = { ...tests, effect: 'none', bypassed: true } as const
  return [
    ...Array.from({ length: 8 }, (_, nth) => [
      recordOf({ ...push, ...refused, session: `s${nth}`, at: at(nth * 10) }),
      recordOf({
        ...push,
        event: 'tool.after',
        acts: ['run npm test'],
        session: `s${nth}`,
        at: at(nth * 10 + 1),
        moves: opens,
      }),
      recordOf({ ...push, session: `s${nth}`, at: at(nth * 10 + 2), ms: 4 }),
    ]).flat(),
    recordOf({ ...push, ...refused, session: 'let-by', at: at(90) }),
    recordOf({ ...push, session: 'let-by', at: at(91), matches: [lifted] }),
    ...Array.from({ length: 6 }, () => recordOf({ ...push, ...refused, session: 'stuck', at: at(95) })),
    recordOf({
      ...push,
      acts: ['run git rebase'],
      at: at(96),
      matches: [{ ...gate('no-rebase', 'rebase'), effect: 'none', mode: 'observe' }],
    }),
    recordOf({
      ...push,
      acts: ['run make'],
      at: at(97),
      matches: [{ ...gate('lifted', 'always'), effect: 'none', bypassed: true }],
    }),
    recordOf({
      client: 'codex-cli',
      session: 'c',
      at: at(98),
      acts: ['run git status'],
      whitelisted: true,
      errors: ['gate project/no-stash: boom'],
    }),
  ]
}

const STATE = '.local/state/signalbox'
function remember(stage: Stage, records: readonly AuditRecord[], root: string | undefined = stage.project): void {
  mkdirSync(join(stage.home, STATE), { recursive: true })
  put(
    join(stage.home, STATE),
    records.map(one => (root === undefined ? one : { ...one, root })),
  )
}
const fits = (stage: Stage, width: number) => stage.said.split('\n').filter(line => line.length > width)

describe('signalbox stats', () => {
  it('what gates did, what came of it, and what to make of it', () =>
    withStage(async stage => {
      stage.put('signalbox.yaml', POLICY)
      remember(stage, story())
      expect(await stage.run(['stats'])).toBe(0)
      const [first = '', ...rest] = stage.said.trimEnd().split('\n')
      expect(first).toBe('Last 7d in proj: 27 calls in 12 sessions, agents fixed 8 of 10 stops')
      const text = rest.filter(line => !line.includes('|')).join('\n')
      expect(text).toBe(`  decisions 15 denied (56 %), 0 asked, 2 bypassed, 1 whitelisted, 1 ERROR
  bypasses  2: 2 bypassed, 0 approved by a token, 0 by a variable
  latency   p50 1.6 ms, p95 4 ms, p99 4 ms over 35 events
  denials   cost about 1,500 tokens (estimated from their length)

gate                 fired  agent fixed  bypassed  stuck  other  errors     p95
push-needs-tests        10     8 (80 %)         1      1      0       0  1.6 ms
no-rebase (observe)      0            -         -      -      -       0  1.6 ms
lifted                   0            -         -      -      -       0  1.6 ms
no-stash                 0            -         -      -      -       1    idle

not blocking  mode     would DENY  would ASK
no-rebase     observe           1          0

Idle  1 rule of the policy did not match
        no-stash stash, last never
No effect  lifted always matched once, bypassed each time
Summary  push-needs-tests works; agents get stuck at push-needs-tests; test
         no-stash
Next  signalbox explain --last`)
      expect(fits(stage, 80)).toEqual([])
      expect(rest[0]).toMatch(/^ {2}calls {3}\|.*\| by hour$/)
    }))

  it('makes nothing of a gate that the policy no longer has', () =>
    withStage(async stage => {
      stage.put('signalbox.yaml', POLICY.replace('push-needs-tests', 'push-needs-review'))
      remember(stage, story())
      await stage.run(['stats'], { width: 200 })
      expect(stage.said).toContain('push-needs-tests (removed)')
      expect(stage.said).not.toMatch(/push-needs-tests works|stuck at push-needs-tests|explain --last/)
    }))

  it.each([40, 60, 80, 120])('fits a window of %i columns, whatever it is asked', width =>
    withStage(async stage => {
      stage.put('signalbox.yaml', POLICY.replaceAll('no-stash', `a-gate-whose-name-${'is-long-'.repeat(5)}`))
      remember(stage, story())
      for (const by of ['gate', 'rule', 'route', 'client', 'session']) {
        for (const LANG of ['C', 'en_US.UTF-8']) {
          expect(await stage.run(['stats', '--by', by, '--since', '2d'], { width, env: { LANG } })).toBe(0)
          // a word that is longer than the window stands alone
          expect(
            fits(stage, width).filter(line => line.trim().includes(' ')),
            stage.said,
          ).toEqual([])
          expect(stage.said).not.toContain('\u001b')
        }
      }
    }),
  )

  it('by rule, client and session, and of one of them', () =>
    withStage(async stage => {
      stage.put('signalbox.yaml', POLICY)
      remember(stage, story())
      const asked = async (...args: readonly string[]) => {
        expect(await stage.run(['stats', '--json', ...args])).toBe(0)
        return JSON.parse(stage.said)
      }
      const { rules, overridden, unmatched: dead } = await asked('--by', 'rule')
      expect(
        rules.map((one: Record<string, unknown>) => [one.rule, one.fired, one.decided, one.bypassed, one.observed]),
      ).toEqual([
        ['untested', 16, 15, 1, 0],
        ['stash', 0, 0, 0, 0],
        ['rebase', 1, 0, 0, 1],
        ['always', 1, 0, 1, 0],
      ])
      expect([overridden[0].rule, dead[0].rule, dead[0].lastAt]).toEqual(['always', 'stash', null])
      const { groups } = await asked('--by', 'client')
      expect(groups.map((one: Record<string, unknown>) => [one.group, one.calls, one.denied, one.errors])).toEqual([
        ['claude-code', 26, 15, 0],
        ['codex-cli', 1, 0, 1],
      ])
      expect((await asked('--by', 'session')).groups[0]).toMatchObject({
        group: 'claude-code stuck',
        calls: 6,
        denied: 6,
      })
      expect((await asked('--session', 'stuck')).totals).toMatchObject({ calls: 6, blockRate: 1 })
      expect((await asked('--client', 'codex-cli')).totals).toMatchObject({ calls: 1, whitelisted: 1 })
      const later = await asked('--until', '2026-02-01', '--since', '2026-01-01')
      expect([later.totals.invocations, later.period.to - later.period.from]).toEqual([0, 31 * 24 * 60 * MINUTE])
      expect(Object.keys(await asked())).toEqual([
        'project',
        'period',
        'since',
        'sessions',
        'totals',
        'series',
        'gates',
        'by',
        'rules',
        'groups',
        'unmatched',
        'overridden',
        'counted',
      ])
    }))

  it('a rule that spoke before the period says since when it is idle', () =>
    withStage(async stage => {
      stage.put('signalbox.yaml', POLICY)
      remember(stage, [
        recordOf({ ...push, at: NOW - 30 * 86_400_000, decision: 'deny', matches: [gate('no-stash', 'stash')] }),
        recordOf({ at: NOW }),
      ])
      await stage.run(['stats'])
      expect(stage.said).toContain('no-stash stash, last 30 d ago')
      expect(stage.said).toMatch(/^no-stash .* idle 30 d$/m)
    }))

  it('of this project and its parts, or of every one; what is nobody’s is told', () =>
    withStage(async stage => {
      stage.put('signalbox.yaml', POLICY)
      const other = { ...refused, gate: 'project/theirs', matches: [{ ...tests, gate: 'project/theirs' }] }
      remember(stage, [recordOf({ at: NOW, ...push, ...refused })])
      remember(stage, [recordOf({ at: NOW, session: 'part' })], join(stage.project, 'packages/a'))
      remember(stage, [recordOf({ at: NOW, session: 'other', ...other })], `${stage.project}-other`)
      remember(stage, [recordOf({ at: NOW, session: '', policy: '', errors: ['no store'] })], '')
      const asked = async (...args: readonly string[]) => {
        await stage.run(['stats', '--json', ...args])
        const { totals, sessions, gates, counted, project } = JSON.parse(stage.said)
        const spoke = gates.filter((one: { fired: number }) => one.fired > 0)
        return {
          ...{ calls: totals.calls, sessions, unplaced: counted.eventsWithoutProject, project },
          gates: spoke.map((one: { gate: string; isRemoved: boolean }) => [one.gate, one.isRemoved]),
        }
      }
      const here = { calls: 2, sessions: 2, unplaced: 1, gates: [['project/push-needs-tests', false]] }
      expect(await asked()).toEqual({ ...here, project: '/proj' })
      expect(await asked('--everywhere')).toEqual({
        ...{ calls: 4, sessions: 3, unplaced: 0, project: null },
        gates: [...here.gates, ['project/theirs', false]],
      })
      expect(await asked('--session', 'other')).toMatchObject({ calls: 1, gates: [['project/theirs', false]] })
      await stage.run(['stats'])
      expect(stage.said.replace(/\s+/g, ' ')).toContain(' 0 whitelisted, 1 ERROR (of unknown projects) latency')
      expect(stage.said).toContain('Note  1 event of unknown projects not included: use --everywhere\n')
      await stage.run(['stats', '--by', 'session', '--everywhere'])
      expect(stage.said).toMatch(/^Last 7d in every project: 4 calls in 3 sessions, /)
      expect(stage.said).toMatch(/^any \(no session\) /m)
    }))

  it('a gate and a rule that left the policy are gone; where only another project had them, nobody says so', () =>
    withStage(async stage => {
      stage.put('signalbox.yaml', POLICY)
      const old = { ...refused, matches: [gate('old', 'rule-1'), { ...tests, rule: 'renamed' }] }
      remember(stage, [recordOf({ at: NOW, ...old })])
      await stage.run(['stats'])
      expect(stage.said).toMatch(/^project\/old \(removed\) /m)
      await stage.run(['stats', '--by', 'rule'])
      expect(stage.said).toMatch(/^push-needs-tests renamed \(removed\) /m)
      await stage.run(['stats', '--everywhere'])
      expect(stage.said).not.toContain('(gone)')
      expect(stage.said).not.toContain('Idle')
    }))

  it.each([['--client', 'codex-cli'] as const, ['--session', 'c'] as const])(
    'of one %s nobody is told to drop what others meet',
    (option, value) =>
      withStage(async stage => {
        stage.put('signalbox.yaml', POLICY)
        remember(stage, story())
        for (const by of ['gate', 'rule']) {
          await stage.run(['stats', option, value, '--by', by])
          expect(stage.said).not.toMatch(/Idle|No effect|test no-stash|\bidle/)
          expect(stage.said).toContain(value)
        }
      }),
  )

  it('a project in which nothing happened says so, and where to look', () =>
    withStage(async stage => {
      stage.put('signalbox.yaml', POLICY)
      remember(stage, [recordOf({ at: NOW })], '/elsewhere')
      await stage.run(['stats'])
      expect(stage.said).toBe('Last 7d in proj: no events\nNext  signalbox stats --everywhere\n')
      remember(stage, [recordOf({ at: NOW - 30 * 86_400_000 })])
      await stage.run(['stats', '--by', 'session'])
      expect(stage.said).toBe(
        'Last 7d in proj: no events; the first event was 30 d ago\nNext  signalbox stats --since 400d\n',
      )
    }))

  it('of a gate with many idle rules there is one line, and a blank one before what to do next', () =>
    withStage(async stage => {
      stage.put('signalbox.yaml', `${POLICY}use: [tool-routing]\n`)
      remember(stage, [recordOf({ at: NOW })])
      await stage.run(['stats'])
      expect(stage.said).toMatch(/^Idle {2}\d+ rules of the policy did not match$/m)
      expect(stage.said).toMatch(/^ {8}tool-routing \(\d+ rules\), last never$/m)
      expect(stage.said).not.toContain('more: --by rule')
      await stage.run(['stats', '--client', 'codex-cli'])
      expect(stage.said).toBe('Last 7d in proj, codex-cli: no events\nNext  signalbox stats --by client --everywhere\n')
      await stage.run(['stats', '--everywhere'])
      expect(stage.said).toMatch(/\n\nNext {2}signalbox status\n$/)
      await stage.run(['stats', '--until', '2026-01-08T00:00', '--json'], { env: { TZ: 'UTC' } })
      const { from, to } = JSON.parse(stage.said).period
      expect((to - from) / 3_600_000).toBe(7 * 24)
    }))

  it('what to do next can be typed where the word is not on the PATH', () =>
    withStage(async stage => {
      const env = { PATH: '/usr/bin:/bin' }
      await stage.run(['stats'], { env, width: 200 })
      expect(stage.said).toMatch(/^Next {2}node \S+signalbox\.cjs init$/m)
      stage.put('signalbox.yaml', POLICY)
      remember(stage, story())
      await stage.run(['stats'], { env: { ...env, npm_command: 'exec' }, width: 200 })
      expect(stage.said).toMatch(/^Next {2}npx signalbox explain --last$/m)
    }))

  it('--rebuild keeps what was counted of records that are gone, and says so', () =>
    withStage(async stage => {
      const state = join(stage.home, STATE)
      mkdirSync(state, { recursive: true })
      const at = (hours: number) => NOW - hours * 60 * MINUTE
      const root = stage.project
      put(
        state,
        Array.from({ length: 100 }, (_, nth) => recordOf({ root, at: at(72), session: `old-${nth % 7}` })),
      )
      await stage.run(['stats'])
      const late = Array.from({ length: 100 }, () => recordOf({ root, at: NOW }))
      put(state, late, { each: 1, limits: { days: 2, bytes: 2 ** 40 } })
      const asked = async (...args: readonly string[]) => {
        expect(await stage.run(['stats', '--json', ...args])).toBe(0)
        return stage.said
      }
      const before = JSON.parse(await asked())
      expect([before.totals.calls, before.sessions]).toEqual([200, 8])
      const [note = '', ...json] = (await asked('--rebuild')).split('\n')
      expect(note).toMatch(/^signalbox stats: counts before .* UTC are unchanged: their records were removed$/)
      expect(JSON.parse(json.join('\n'))).toEqual(before)
    }))

  it.each([
    [['--since', '2026-02-30'], '`--since 2026-02-30`: use 7d'],
    [['--since', '2999-01-01'], '`--since 2999-01-01` is in the future'],
    [['--client', 'claude'], 'unknown client `claude`; did you mean `claude-code`?'],
    [['--prometheus', '--by', 'rule'], '`--prometheus` prints all counters: it cannot be combined with `--by`'],
    [['--by', 'moon'], 'unknown `--by moon`; there are gate, rule, route, client, session'],
    [['--since', 'soon'], '`--since soon`: use 7d'],
    [['--client', 'codex-cl'], 'unknown client `codex-cl`; did you mean `codex-cli`?'],
    [['--until', '2d', '--since', '1d'], '`--until 2d` is before `--since 1d`'],
  ])('%j is refused in a line', (args, why) =>
    withStage(async stage => {
      expect(await stage.run(['stats', ...args], { width: 200 })).toBe(2)
      expect(stage.said).toContain(`signalbox stats: ${why}`)
    }),
  )

  it('nothing on record, no policy, a policy that cannot be read, a trail that cannot', () =>
    withStage(async stage => {
      expect(await stage.run(['stats'])).toBe(0)
      expect(stage.said).toBe('Nothing is recorded yet: no agent has called Signalbox.\nNext  signalbox init\n')
      expect(stage.has(`~/${STATE}`)).toBe(false)
      remember(stage, [recordOf({ at: NOW })])
      expect(await stage.run(['stats'])).toBe(0)
      expect(stage.said).toContain('Last 7d in proj: 1 call in 1 session, no agent was stopped\n')
      stage.put('signalbox.yaml', 'gates: [')
      expect(await stage.run(['stats'])).toBe(0)
      for (const part of ['', '-wal', '-shm'])
        stage.put(`~/${STATE}/signalbox.db${part}`, 'no database at all, '.repeat(400))
      expect(await stage.run(['stats'], { width: 200 })).toBe(2)
      expect(stage.said).toMatch(
        /^signalbox stats: the database is damaged \(.*signalbox\.db\); `signalbox doctor` shows what to do\n$/,
      )
    }))

  it('the real hook, counted by the real command', () =>
    withSandbox(
      {
        user: `${POLICY}allow: { commands: [git status] }\n`.replace(
          'command: make }',
          'command: make }, unless: { whitelisted: true }',
        ),
      },
      async sandbox => {
        const call = (command: string, nth: number) =>
          sandbox.run(['hook', '--client', 'claude-code'], {
            env: { SIGNALBOX_DAEMON: 'off' },
            input: JSON.stringify({
              ...{ session_id: 's', cwd: sandbox.project, hook_event_name: 'PreToolUse', tool_name: 'Bash' },
              ...{ tool_input: { command }, tool_use_id: `toolu_${nth}` },
            }),
          })
        writeFileSync(join(sandbox.project, 'x'), '')
        await call('git push', 1)
        await call('git status', 2)
        await call('git rebase main', 3)
        const { totals, gates } = JSON.parse((await sandbox.run(['stats', '--json'])).stdout)
        expect(totals).toMatchObject({
          invocations: 3,
          calls: 3,
          denied: 1,
          whitelisted: 1,
          errors: 0,
          latencyMs: { count: 3 },
        })
        expect(totals.denialTokens).toBeGreaterThan(0)
        const row = (name: string) => gates.find((one: { name: string }) => one.name === name)
        expect([row('push-needs-tests').fired, row('no-rebase').wouldDeny]).toEqual([1, 1])
        const families = parseExposition((await sandbox.run(['stats', '--prometheus'])).stdout)
        expect(families.get('signalbox_whitelisted_total')?.samples[0]?.value).toBe(1)
      },
    ))
})
