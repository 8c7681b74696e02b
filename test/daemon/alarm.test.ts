import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createLazyDependencies } from '../../src/hook/entry/hook-process.ts'
import { beginBypass, createServices, endAlarm, raiseAlarm } from '../../src/hook/index.ts'
import { BUNDLES } from '../support/bundles.ts'
import { capture } from '../support/clients/captures.ts'
import { BEGAN, bothWays, type Event, type Place } from './daemon-and-one-shot.ts'

const POLICY =
  'gates: { g: { rules: [{ when: { event: tool.before, command: git push }, then: deny, message: No. }] } }\n'
const TEXT = 'signalbox: an agent can get stuck: a story. Fix: a place'

const payload = (client: string, kind: string, command: string, nth: number): Event => ({
  client,
  payload: JSON.stringify({
    session_id: 's',
    cwd: '/home/dev/proj',
    hook_event_name: kind,
    ...(kind === 'SessionStart' ? { source: 'startup' } : {}),
    ...(kind === 'PreToolUse' && { tool_name: 'Bash', tool_input: { command }, tool_use_id: `t${nth}` }),
    ...(kind === 'UserPromptSubmit' && { prompt: command }),
  }),
})

const hashIn = ({ home, project }: Place): string => {
  const house = createServices(
    { HOME: home, SIGNALBOX_HOME: home, PATH: '/usr/bin:/bin' },
    createLazyDependencies(BUNDLES),
  )
  const { hash } = house.policy(project, project).program
  house.store.close()
  return hash
}
const raise = (place: Place): void => raiseAlarm(place.state, hashIn(place), TEXT.replace('signalbox: ', ''))

/** Both ways, which have to agree; how often each reply tells, and whether it refuses. */
async function told(events: readonly Event[], project = POLICY) {
  const { oneShot, daemon } = await bothWays({ project, events })
  expect(daemon).toEqual(oneShot)
  return oneShot.replies.map(reply => {
    const text = JSON.stringify(reply)
    return `${text.split(TEXT).length - 1}${text.includes('"deny') || text.includes('\\"deny') ? ' refused' : ''}`
  })
}

const call = (nth: number, command = 'ls') => payload('claude-code', 'PreToolUse', command, nth)
const begin = payload('claude-code', 'SessionStart', '', 0)

it('is told once by the next event, whoever answers, and changes no decision; a new session is told again, both person and agent', async () => {
  expect(
    await told([
      begin,
      call(1),
      { ...call(2, 'git push'), change: raise },
      call(3),
      call(4, 'git push'),
      // proven once more: nothing new
      { ...call(5), change: raise },
      begin,
      call(6),
    ]),
  ).toEqual(['0', '0', '1 refused', '0', '0 refused', '0', '2', '0'])
})

it('is over when the policy is proven anew, and is not that of another policy', async () => {
  const end = (place: Place) => endAlarm(place.state, hashIn(place))
  const other = (place: Place) => raiseAlarm(place.state, 'another', TEXT)
  expect(
    await told([
      { ...call(1), change: other },
      { ...call(2), change: raise },
      { ...begin, change: end },
    ]),
  ).toEqual(['0', '1', '0'])
})

it('is not told while all is switched off', async () => {
  const off = (place: Place) => {
    raise(place)
    beginBypass(place.state, { id: 'off', from: BEGAN, reason: 'quiet' })
  }
  expect((await told([{ ...begin, change: off }, call(1)])).map(one => one[0])).toEqual(['0', '0'])
})

it('waits for an event that can carry it: what a client shows nobody is said to the agent', async () => {
  const end = { ...payload('claude-code', 'SessionEnd', '', 1), change: raise }
  expect(await told([end, call(2)])).toEqual(['0', '1'])
  const recorded = capture('copilot-cli-1.0.102/preToolUse.bash')
  const mute = (timestamp: number): Event => ({
    client: 'copilot-cli',
    args: ['--event', 'preToolUse'],
    payload: JSON.stringify({ ...recorded, timestamp, cwd: '/home/dev/proj' }),
  })
  expect(await told([{ ...mute(1), change: raise }, mute(2)])).toEqual(['1', '0'])
})

it('is told by one of many, and leaves no more than a few files', async () => {
  const state = mkdtempSync(join(tmpdir(), 'signalbox-alarm-'))
  for (let nth = 0; nth < 80; nth++) raiseAlarm(state, `h${nth}`, TEXT)
  expect(readdirSync(join(state, 'alarms')).length).toBeLessThanOrEqual(65)
  raiseAlarm(state, 'read', TEXT, { isShown: true })
  expect([existsSync(join(state, 'alarms/read')), existsSync(join(state, 'alarms/read.new'))]).toEqual([true, false])
  rmSync(state, { recursive: true })
})
