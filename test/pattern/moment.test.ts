import { describe, expect, it } from 'vitest'
import { parseTimeArgument } from '../../src/lib/time-argument.ts'

const NOW = Date.UTC(2026, 10, 16, 12)
const local = (...parts: [number, number, number, number?, number?, number?]) => new Date(...parts).getTime()

describe('a moment, as a person says it', () => {
  it.each<[string, number | undefined]>([
    ['90s', NOW - 90_000],
    ['30m', NOW - 1_800_000],
    ['12h', NOW - 43_200_000],
    ['7d', NOW - 604_800_000],
    ['2w', NOW - 1_209_600_000],
    ['999999999w', 0],
    ['2026-11-01', local(2026, 10, 1)],
    ['2026-11-01T09:00', local(2026, 10, 1, 9)],
    ['2026-11-01 09:00', local(2026, 10, 1, 9)],
    ['2026-11-01T09:00:30', local(2026, 10, 1, 9, 0, 30)],
    ['2026-11-01T09:00Z', Date.UTC(2026, 10, 1, 9)],
    ['2026-11-01T09:00:00.250Z', Date.UTC(2026, 10, 1, 9) + 250],
    ['2026-11-01T09:00+02:00', Date.UTC(2026, 10, 1, 7)],
    ['2026-11-01T09:00-0130', Date.UTC(2026, 10, 1, 10, 30)],
    ['2028-02-29', local(2028, 1, 29)],
    ...(
      [
        ...['2026-02-30', '2026-02-29', '2026-04-31', '2026-13-01', '2026-00-10', '2026-01-00', '2026-01-32'],
        ...['2026-02-30T10:00Z', '2026-11-01T24:00', '2026-11-01T09:60', '2026-11-01T9:00', '2026-11-01T', '2026-11'],
        ...['soon', '', '7', 'd', '-3d', '1.5h', '7 d', '7D', '1m30s', '0x7d', '2026-11-01x', '2026-11-01T09:00+99:00'],
      ] as const
    ).map((text): [string, undefined] => [text, undefined]),
  ])('%s', (text, at) => {
    expect(parseTimeArgument(text, NOW)).toBe(at)
  })
})
