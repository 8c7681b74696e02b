import { expect, it } from 'vitest'
import { clientById } from '../src/clients/index.ts'
import { putPendingEffects } from '../src/engine/evaluate/commit.ts'

const REFUSED = { warnings: [], moves: [], refused: true }
const before = (id: string) => {
  const payload = { session_id: 's', hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_use_id: id, tool_input: {} }
  const [event] = clientById('claude-code')?.decode(payload, {}) ?? []
  if (!event) throw new Error('no event')
  return event
}

it('of refused calls the last sixteen wait, and none of them drives out what waits for another reason', () => {
  const warned = putPendingEffects([], before('warned'), { warnings: ['w'], moves: [] })
  const ids = Array.from({ length: 40 }, (_, nth) => `r${nth}`)
  const left = ids.reduce((waiting, id) => putPendingEffects(waiting, before(id), REFUSED), warned)
  expect(left.map(one => one.call)).toEqual(['warned', ...ids.slice(-16)])
})
