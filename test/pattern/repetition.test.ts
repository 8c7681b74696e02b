import { expect, it } from 'vitest'
import { type DenialTimes, throttleDenial } from '../../src/engine/index.ts'

const SOURCE = { id: 'g|r', name: 'the gate "g"', help: 'x' }
const caller = { key: 'main', label: 'main' }
const at = (now: number, denials: DenialTimes) =>
  throttleDenial(denials, SOURCE, { reason: 'No.', caller, now, shortens: true }).denials

it('keeps the latest few refusals for good, and the others for two minutes: it is written at every event', () => {
  const minute = 60_000
  const slow = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].reduce<DenialTimes>((denials, nth) => at(nth * 10 * minute, denials), {})
  expect(slow['main|g|r']).toEqual([60, 70, 80, 90].map(time => time * minute))
  const quick = Array.from({ length: 30 }, (_, nth) => nth * 1000).reduce<DenialTimes>((all, now) => at(now, all), {})
  expect(quick['main|g|r']).toHaveLength(20)
})
