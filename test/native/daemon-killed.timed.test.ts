import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { AuditRecord } from '../../src/store/index.ts'
import { isBuilt, pause } from '../support/native/hook.ts'
import { Installed, kill, until } from '../support/native/installed.ts'
import { verifyStore } from '../support/store/verify-store.ts'
import {
  type Answered,
  decisionOf,
  GATES,
  isAnswer,
  isResort,
  NAMES,
  type Planned,
  POLICY,
  plan,
  replay,
  seeded,
} from './kill-rounds.ts'

/**
 * `kill -9` of the daemon at any moment, under 32 calls at once. `npm run test:kill` plays 200 rounds; `SEED` plays the same calls and moments
 * again, as far as a machine does.
 */
const ROUNDS = Number(process.env.ROUNDS ?? 12)
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
const CALLS = 32
const SESSIONS = 4
/** after so many answers as chance has it, and so many ms */
const LATER_MS = 4
/** its successor too, now and then */
const AGAIN_MS = 800
const SPOOLED = 'answered without the stored state'

const random = seeded(SEED)
const stage = new Installed(POLICY)
const alone = isBuilt ? stage.alone() : ''
const answered: Answered[] = []
const kills: string[] = []
afterAll(() => stage.end())

/** The payload is there from the start: a test that is held up holds up nobody. */
async function call(planned: Planned, program = stage.bin): Promise<Answered> {
  const file = join(stage.folder, planned.id)
  writeFileSync(file, planned.payload)
  const input = openSync(file, 'r')
  const told = stage.hook({ program, stdio: [input, 'pipe', 'pipe'] })
  closeSync(input)
  return { ...planned, told: await told }
}

/** Whoever is the daemon then, be it one that only just starts. */
function killDaemons(round: number, when: string): void {
  for (const pid of stage.daemons()) {
    kills.push(`round ${round}: ${pid} ${when}`)
    kill(pid)
  }
}

const warmUp = (nth: number) =>
  call({ ...plan(`warm${nth}x`, () => 0, { cwd: stage.project, sessions: 1 }), session: 'warm' })

async function play(round: number): Promise<void> {
  const pid = await stage.resident({}, { patienceMs: 1000 })
  // one that has not answered yet is busy with the policy for a while
  if (round === 0 || random() < 0.75) await warmUp(round)
  const where = { cwd: stage.project, sessions: SESSIONS }
  const calls = Array.from({ length: CALLS }, (_, nth) => plan(`r${round}c${nth}x`, random, where))
  // a few cannot become a process of their own
  const programs = calls.map(() => (random() < 0.2 ? alone : stage.bin))
  const [answers, later, again] = [Math.floor(random() * CALLS), random() * LATER_MS, random()]
  let ended = 0
  const enough = new Promise<void>(done => {
    const look = () => {
      if (ended >= answers) setTimeout(done, later)
      else setImmediate(look)
    }
    look()
  })
  const killing = enough.then(async () => {
    kills.push(`round ${round}: ${pid} after ${ended} answers`)
    kill(pid)
    if (again > 0.25) return
    await pause(again * 4 * AGAIN_MS)
    killDaemons(round, 'though it had only begun')
  })
  const one = async (planned: Planned, nth: number) => {
    const had = await call(planned, programs[nth])
    ended++
    return had
  }
  answered.push(...(await Promise.all(calls.map(one))))
  await killing
}

/** What was spooled joins with the events that follow. */
async function settle(): Promise<void> {
  await stage.resident()
  for (let left = 100; left > 0 && stage.spooled.length > 0; left--) await warmUp(ROUNDS + left)
}

const groupOf = (name: string, tool = ''): string => `${name} ${tool}`
const toolOf = ({ kind, id }: Planned): string | undefined =>
  ({
    deny: `mcp__x__no_${id}`,
    pass: `mcp__x__yes_${id}`,
    commit: 'Bash',
    test: 'Bash',
    edit: 'Write',
    prompt: undefined,
    stop: undefined,
  })[kind]
const count = (all: readonly string[]): Record<string, number> => {
  const counted: Record<string, number> = {}
  for (const one of all.toSorted()) counted[one] = (counted[one] ?? 0) + 1
  return counted
}

describe.runIf(isBuilt)(`${ROUNDS} rounds of kill -9 under ${CALLS} calls at once (SEED=${SEED})`, () => {
  let records: readonly AuditRecord[] = []
  const isSpooled = ({ notes }: AuditRecord) => notes.some(note => note.startsWith(SPOOLED))
  const judged = () => records.filter(record => record.session !== '' && !isSpooled(record))

  it(
    'every call has one answer',
    async () => {
      for (let round = 0; round < ROUNDS; round++) await play(round)
      await settle()
      records = stage.records()
      const resort = answered.filter(isResort).length
      console.info(
        `${answered.length} calls, ${kills.length} kills, ${resort} answered by the last resort, seed ${SEED}`,
      )
      expect(answered.filter(one => !isAnswer(one))).toEqual([])
      expect(answered.filter(one => one.kind === 'deny' && decisionOf(one) !== 'deny')).toEqual([])
      expect(kills.length).toBeGreaterThanOrEqual(ROUNDS)
    },
    ROUNDS * 20_000,
  )

  it('what was answered is on record, once, as it was answered', () => {
    const heard = answered.filter(one => !isResort(one) && one.kind !== 'prompt' && one.kind !== 'stop')
    const found = (one: Planned) =>
      judged().filter(
        ({ session, tool = '', acts }) => session === one.session && `${tool} ${acts.join()} `.includes(one.id),
      )
    const trail = (one: Answered) => `${one.id} ${found(one).map(({ decision }) => decision)}`
    expect(heard.map(trail)).toEqual(heard.map(one => `${one.id} ${decisionOf(one)}`))
    // one that could not be heard of its answer may be on record, but not twice
    expect(answered.filter(one => toolOf(one) && found(one).length > 1)).toEqual([])
  })

  it('what the last resort answered has joined it, once', () => {
    const own = answered.filter(isResort).map(one => `${groupOf(NAMES[one.kind], toolOf(one))} ${decisionOf(one)}`)
    const trail = records.filter(isSpooled).map(({ name, tool, decision }) => `${groupOf(name, tool)} ${decision}`)
    expect(count(trail)).toEqual(count(own))
    expect(stage.spooled).toEqual([])
  })

  it('events without an id are counted once, though their daemon died with the answer', () => {
    for (const kind of ['prompt', 'stop'] as const)
      for (let nth = 0; nth < SESSIONS; nth++) {
        const of = answered.filter(one => one.kind === kind && one.session === `s${nth}`)
        const trail = judged().filter(({ session, name }) => session === `s${nth}` && name === NAMES[kind]).length
        expect(trail).toBeLessThanOrEqual(of.length)
        expect(trail).toBeGreaterThanOrEqual(of.filter(one => !isResort(one)).length)
      }
  })

  it('no gate is in a wrong state', () => {
    for (let nth = 0; nth < SESSIONS; nth++) {
      const session = `s${nth}`
      const { wrong, ...due } = replay(judged().filter(record => record.session === session))
      expect(wrong).toEqual([])
      const key = { client: 'claude-code', session }
      const kept = stage.store(store =>
        store.transact(key, { root: stage.project, now: 0, expiryHours: 1 }, loaded => ({
          records: [],
          result: loaded.session,
        })),
      )
      const { [GATES.tests]: tests, [GATES.counted]: counted } = kept.gates
      expect({
        isOpen: tests?.state === 'open',
        turn: kept.turn,
        operations: counted?.operations ?? 0,
      }).toEqual(due)
    }
  })

  it('the chain holds', () => {
    expect(stage.store(verifyStore)).toMatchObject({ ok: true, problems: [], records: records.length })
  })

  it('one daemon is left, and no other process', async () => {
    await stage.resident({}, { patienceMs: 2000 })
    await until(() => stage.processes().length <= 1)
    expect(stage.daemons()).toHaveLength(1)
    for (const pid of stage.daemons()) kill(pid, 'SIGTERM')
    await until(() => stage.processes().length === 0)
  })
})
