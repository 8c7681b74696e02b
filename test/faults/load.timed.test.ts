import { type ChildProcess, spawn } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLIENTS, inPlace, POSTURES, WAYS } from './hook-starters.ts'

/**
 * Sixteen calls at once, the first ever on their machine, beside whatever else it has to do. `npm run test:load` plays many rounds beside sixteen
 * loops that never rest (`ROUNDS`, `BUSY`) and prints what became of each call. How long they take is told and not asserted.
 */
const ROUNDS = Number(process.env.ROUNDS ?? 1)
const BUSY = Number(process.env.BUSY ?? 0)
const CALLS = 16
/** Agents wait so long, and then make the call. */
const AGENT_WAITS_MS = 10_000

const loops: ChildProcess[] = []
beforeAll(() => {
  for (let nth = 0; nth < BUSY; nth++) loops.push(spawn('sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' }))
})
afterAll(() => {
  for (const loop of loops) loop.kill('SIGKILL')
})

describe.each([...WAYS])('%s, many calls at once', way => {
  it.each([...POSTURES])('%s', { timeout: 120_000 * ROUNDS }, async posture => {
    const counts: Record<string, number> = {}
    const wrong: unknown[] = []
    const add = (what: string) => {
      counts[what] = (counts[what] ?? 0) + 1
    }
    for (let round = 0; round < ROUNDS; round++)
      await inPlace(way, posture, async place => {
        const call = async (nth: number) => {
          const client = CLIENTS[(nth + round) % CLIENTS.length] ?? ''
          const began = performance.now()
          const reply = await place.call(client, place.payload(client, { tool_use_id: `t${nth}` }))
          if (performance.now() - began > AGENT_WAITS_MS) add(`later than ${AGENT_WAITS_MS / 1000} s`)
          const outcome = place.outcome(client, reply)
          add((reply.stdout + reply.stderr).includes('Do not push') ? 'judged' : outcome)
          const isRight = posture === 'open' ? outcome !== 'PASSED IN SILENCE' : outcome === 'refused'
          if (!isRight) wrong.push({ client, outcome, reply })
        }
        await Promise.all(Array.from({ length: CALLS }, (_, nth) => call(nth)))
      })
    if (process.env.ROUNDS) console.log(`${way}, ${posture}, ${ROUNDS * CALLS} calls: ${JSON.stringify(counts)}`)
    expect(wrong).toEqual([])
  })
})
