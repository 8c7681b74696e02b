import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Deadline } from '../../src/hook/index.ts'

const NOW_MS = 100_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.spyOn(process, 'uptime').mockReturnValue(NOW_MS / 1000)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

it('an event has its time from when it came', async () => {
  const deadline = new Deadline(NOW_MS - 1990, 2000)
  vi.advanceTimersByTime(9)
  expect(deadline.isOver()).toBe(false)
  vi.advanceTimersByTime(1)
  expect(deadline.isOver()).toBe(true)
  await expect(deadline.passed).rejects.toThrow('no reply within 2 s')
})

it('an event has more time when it is told so, also more than a timer can count', () => {
  for (const ms of [60_000, 2 ** 40]) {
    const deadline = new Deadline(NOW_MS, 20)
    deadline.setTo(ms)
    vi.advanceTimersByTime(59_999)
    expect(deadline.isOver()).toBe(false)
    deadline.end()
  }
})

it('an event that has ended does not run out of time', () => {
  const deadline = new Deadline(NOW_MS, 20)
  deadline.end()
  vi.advanceTimersByTime(60_000)
  expect(deadline.isOver()).toBe(false)
})

it('an event that nobody waits for is over at once', async () => {
  const deadline = new Deadline(NOW_MS, 2000)
  deadline.abandon()
  expect([deadline.isOver(), deadline.isAbandoned]).toEqual([true, true])
  await expect(deadline.passed).rejects.toThrow('the agent no longer waits for it')
})
