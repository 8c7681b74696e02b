import { expect, it } from 'vitest'
import { type GateVariables, newSession } from '../../src/engine/index.ts'
import { closeFailClosedGates } from '../../src/hook/failure/unwritable-state.ts'
import type { Policy } from '../../src/policy/index.ts'

const gate = (state: 'open' | 'closed'): GateVariables => ({
  state,
  operations: 3,
  changed: { at: 0, turn: 0, operations: 0 },
})

it('of gates that fail closed, those that are open are not known to be, and those that are closed stay so', () => {
  const gates = ['opens', 'stays'].map(id => ({ id, onError: 'closed' }))
  const policy = { gates: [...gates, { id: 'other', onError: 'open' }] } as unknown as Policy
  const kept = { stays: gate('closed'), other: gate('open') }
  const all = { ...kept, opens: gate('open'), 'opens@one': gate('open') }
  const session = { ...newSession('s', '/proj', 0), gates: all, shared: all }
  expect(closeFailClosedGates(session, policy)).toEqual({ ...session, gates: kept, shared: kept })
})
