import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { createLazyDependencies } from '../../src/hook/entry/hook-process.ts'
import { beginBypass, createServices, raiseAlarm } from '../../src/hook/index.ts'
import { openDriver } from '../../src/store/sqlite/driver.ts'
import { BUNDLES } from '../support/bundles.ts'
import { capture, captureNames } from '../support/clients/captures.ts'
import { bothWays, type Event, type Place } from './daemon-and-one-shot.ts'

// what tells two deliveries apart is made of chance
vi.mock('../../src/hook/subhooks/reentrancy-marker.ts', async original => ({
  ...(await original<object>()),
  newReentrancyMarker: (await import('./event-marks.ts')).nextMark,
}))

const POLICIES = [
  'gates: {}',
  'use: [router-first, orchestrator-boundary, master-orchestrator, tool-routing]',
  'use: [orchestrator-boundary, tool-routing]\nallow: { paths: [docs/], commands: [npm test] }',
  `gates:
  tests-first:
    initial: closed
    scope: project
    transitions:
      - { from: closed, to: open, when: { event: tool.after, command: npm test } }
      - { from: open, to: closed, when: { event: tool.before, action: [write, delete] } }
    rules:
      - { while: closed, when: { event: tool.before, command: git commit }, then: deny, message: Run the tests first. }
`,
  `gates:
  often:
    onError: closed
    rules: [{ when: { event: tool.before, action: [run] }, then: ask, message: "Sure, at {now}?" }]
routes:
  pulls: { url: "https://github.com/:owner/:repo/pull/:number", message: "gh pr view {number}" }
`,
  'gates: { broken: [',
  '',
]

const FOLDERS = {
  'claude-code': ['claude-code-2.1.325'],
  'codex-cli': ['codex-cli-0.166.0'],
  'copilot-cli': ['copilot-cli-1.0.102', 'copilot-cli-1.0.102-pascal'],
  'gemini-cli': ['gemini-cli-0.61.0'],
  opencode: ['opencode-1.18.33'],
  'qwen-code': ['qwen-code-0.24.4'],
}
const RECORDED = Object.entries(FOLDERS).flatMap(([client, folders]) =>
  folders.flatMap(captureNames).map(name => ({ client, payload: capture(name) })),
)
const GENERIC = [
  { tool_name: 'Bash', tool_input: { command: 'git commit -m x' } },
  { tool_name: 'Edit', tool_input: { file_path: '/home/dev/proj/a.ts' }, context: { agent_name: 'builder' } },
  { tool_name: 'Task', tool_result: '{"intent":"x"}', context: { agent_name: 'router' } },
].map(payload => ({ client: 'generic', payload: { ...payload, session_id: 'g', cwd: '/home/dev/proj' } }))

const COMMANDS = [
  'git commit -m x',
  'npm test',
  'git status',
  'echo x > a.ts',
  'curl https://github.com/a/b/pull/7',
  'cd src && ls',
]

const pick = <T>(list: readonly T[]) => fc.constantFrom(...list)

const payload = fc
  .record({
    one: fc.oneof(pick(RECORDED), pick(GENERIC)),
    session: pick(['one', 'two']),
    call: pick(['a', 'b', 'c', undefined]),
    command: pick([undefined, ...COMMANDS]),
    folder: pick(['/home/dev/proj', '/home/dev/proj/src', '/home/dev']),
  })
  .map(({ one, session, call, command, folder }) => ({
    client: one.client,
    payload: JSON.stringify({
      ...one.payload,
      ...('session_id' in one.payload && { session_id: session }),
      ...('tool_use_id' in one.payload && call !== undefined && { tool_use_id: call }),
      ...('cwd' in one.payload && { cwd: folder }),
      ...(command !== undefined && 'tool_input' in one.payload && { tool_input: { command } }),
    }),
  }))
const unreadable = pick(['', '{', '[]', '{"hook_event_name":"PreToolUse"', '{"hook_event_name":7}']).map(text => ({
  client: 'claude-code',
  payload: text,
}))

const write = (file: (place: Place) => string, text: string) => (place: Place) => {
  mkdirSync(join(file(place), '..'), { recursive: true })
  writeFileSync(file(place), text)
}
const remove = (file: (place: Place) => string) => (place: Place) => rmSync(file(place), { force: true })

const FILES = [
  (place: Place) => join(place.project, 'signalbox.yaml'),
  (place: Place) => join(place.home, 'signalbox.yaml'),
  (place: Place) => join(place.project, 'src/signalbox.yaml'),
  (place: Place) => join(place.project, 'signalbox.yml'),
]

const damage = ({ state }: Place): void => {
  if (!existsSync(join(state, 'signalbox.db'))) return
  const driver = openDriver(join(state, 'signalbox.db'))
  driver.prepare(`UPDATE sessions SET json = '{"id":' WHERE id = 'one'`).run()
  driver.close()
}

const bypass =
  (id: string, until: number | undefined) =>
  ({ state }: Place): void => {
    const reason = 'a demo'
    const from = Date.UTC(2026, 10, 15, 8)
    beginBypass(state, until === undefined ? { id, from, reason } : { id, from, until: from + until, reason })
  }

/** What a proof has found of the policy in force. */
const alarm = ({ state, home, project }: Place): void => {
  const house = createServices(
    { HOME: home, SIGNALBOX_HOME: home, PATH: '/usr/bin:/bin' },
    createLazyDependencies(BUNDLES),
  )
  raiseAlarm(state, house.policy(project, project).program.hash, 'an agent can get stuck')
  house.store.close()
}

const spooled = ({ state }: Place): void => {
  mkdirSync(join(state, 'spool'), { recursive: true })
  const entry = { at: 1, client: 'generic', event: 'tool.before', decision: 'deny', why: 'no reply within 2 s' }
  writeFileSync(join(state, 'spool/1-2.json'), JSON.stringify(entry))
}

const program = ({ project }: Place): void => {
  mkdirSync(join(project, 'bin'), { recursive: true })
  writeFileSync(join(project, 'bin/gh'), '#!/bin/sh\n')
  chmodSync(join(project, 'bin/gh'), 0o755)
}

const change: fc.Arbitrary<(place: Place) => void> = fc.oneof(
  fc.tuple(pick(FILES), pick(POLICIES)).map(([file, text]) => write(file, text)),
  pick(FILES).map(remove),
  pick([damage, spooled, alarm, program, bypass('off', undefined), bypass('one', 4000), bypass('two', 60_000)]),
  pick([({ state }: Place) => rmSync(join(state, 'bypass'), { recursive: true, force: true })]),
)

const env = pick<Record<string, string>>([
  {},
  {},
  {},
  { CLAUDE_ROUTER_BYPASS: 'true' },
  { AMPLIFIER_BYPASS_BOUNDARY: 'true' },
  { CLAUDE_PROJECT_DIR: '/home/dev/proj/src' },
  { PATH: '/home/dev/proj/bin:/usr/bin' },
  { PATH: 'bin::/bin' },
  { TOOL_ROUTING_DEBUG: '1' },
  { TZ: 'Asia/Tokyo' },
  { CLAUDE_PLUGIN_ROOT: '/home/dev/proj' },
])

const event: fc.Arbitrary<Event> = fc
  .record({
    what: fc.oneof({ weight: 15, arbitrary: payload }, { weight: 1, arbitrary: unreadable }),
    env,
    cwd: pick(['', '', 'src']),
    after: fc.oneof(
      { weight: 8, arbitrary: fc.nat(5000) },
      { weight: 1, arbitrary: pick([-60_000, 3_600_000, 50_000_000]) },
    ),
    args: pick([[], [], [], ['--via', 'plugin'], ['--on-error', 'closed']]),
    change: fc.option(change, { nil: undefined, freq: 3 }),
  })
  .map(({ what, change: done, ...rest }) => ({ ...what, ...rest, ...(done && { change: done }) }))

const story = fc.record({
  project: pick([undefined, ...POLICIES]),
  user: pick([undefined, undefined, ...POLICIES]),
  events: fc.array(event, { minLength: 3, maxLength: 25 }),
})

// a longer walk: STORIES=2000 npx vitest run test/daemon/generated.long.test.ts
const STORIES = Number(process.env.STORIES ?? 120)
const TIME_MS = process.env.STORIES ? 3_600_000 : 40_000
/** So many are played however busy the machine is. */
const FEWEST_EVENTS = 400
const FEWEST_REFUSED = 40
const MOST_LEFT = 0.05
const LATEST_MS = TIME_MS + 400_000

it('whatever happens, and whoever changes what in between, a process that stays answers and keeps the same', {
  timeout: LATEST_MS + 60_000,
}, async () => {
  let events = 0
  let refused = 0
  let left = 0
  const began = Date.now()
  const isEnough = () => Date.now() - began > TIME_MS && events > FEWEST_EVENTS && refused > FEWEST_REFUSED
  await fc.assert(
    fc.asyncProperty(story, async told => {
      if (isEnough()) return
      const { oneShot, daemon, left: here } = await bothWays(told)
      events += told.events.length
      left += here
      refused += oneShot.records.filter(record => record.decision === 'deny').length
      expect(daemon).toEqual(oneShot)
    }),
    { seed: Number(process.env.SEED ?? 7), numRuns: STORIES, interruptAfterTimeLimit: LATEST_MS, endOnFailure: true },
  )
  expect(events).toBeGreaterThan(FEWEST_EVENTS)
  expect(refused).toBeGreaterThan(FEWEST_REFUSED)
  // or it is compared with itself
  expect(left / events).toBeLessThan(MOST_LEFT)
})
