import { expect, it } from 'vitest'
import { type GateVariables, newSession } from '../../src/engine/index.ts'
import { clampToClock } from '../../src/store/sessions/session-table.ts'

const HOUR = 3_600_000
const at = (ms: number) => ({ at: ms, turn: 2, operations: 3 })
const opened = (ms: number): GateVariables => ({ state: 'open', operations: 3, changed: at(ms), opened: at(ms) })
const session = { ...newSession('s', '/p', 0), seenAt: 10 * HOUR }

it('what is in the future of a clock that was set back has just happened; what was before stays', () => {
  const gates = { late: opened(10 * HOUR), early: { ...opened(10 * HOUR), opened: at(1 * HOUR) } }
  expect(clampToClock({ ...session, gates, shared: { all: opened(9 * HOUR) } }, 2 * HOUR)).toEqual({
    ...session,
    gates: { late: opened(2 * HOUR), early: { ...opened(2 * HOUR), opened: at(1 * HOUR) } },
    shared: { all: opened(2 * HOUR) },
  })
})

it('what others share may be ahead where the session is not', () => {
  const own = { ...session, seenAt: 0, gates: { g: opened(0) }, shared: { all: opened(9 * HOUR) } }
  expect(clampToClock(own, 2 * HOUR)).toEqual({ ...own, shared: { all: opened(2 * HOUR) } })
})

it('a clock that was put right by a little changes nothing, nor does one that goes on', () => {
  const own = { ...session, gates: { g: opened(10 * HOUR) }, shared: { all: opened(10 * HOUR) } }
  for (const now of [10 * HOUR - 50_000, 10 * HOUR, 11 * HOUR]) expect(clampToClock(own, now)).toBe(own)
})
