import { describe, expect, it } from 'vitest'
import { clients } from '../../src/clients/index.ts'
import type {
  ActionKind as InnerAction,
  EventKind as InnerKind,
  Verdict as InnerVerdict,
} from '../../src/engine/index.ts'
import type { TestStepDoc } from '../../src/policy/parse/policy-tests.ts'
import type { ActionKind, ClientId, EventKind, PolicyEvent, Verdict } from '../../src/types/index.ts'

/** Both types have the same members. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never
const same = <A, B>(_: Same<A, B>): void => {}

const CLIENTS: Readonly<Record<ClientId, true>> = {
  'claude-code': true,
  'codex-cli': true,
  'copilot-cli': true,
  cursor: true,
  'gemini-cli': true,
  generic: true,
  opencode: true,
  'qwen-code': true,
}

describe('the public types, written by hand, say what is so inside', () => {
  it('words', () => {
    same<EventKind, InnerKind>(true)
    same<ActionKind, InnerAction>(true)
    expect(Object.keys(CLIENTS)).toEqual(clients.map(({ id }) => id))
  })

  it('an event has the keys of policy tests', () => {
    same<keyof PolicyEvent, Exclude<keyof TestStepDoc, 'expect'>>(true)
    const asStep = (event: Omit<PolicyEvent, 'payload'>): Omit<TestStepDoc, 'payload'> =>
      event as Omit<TestStepDoc, 'payload'>
    expect(asStep({ shell: 'ls' })).toEqual({ shell: 'ls' })
  })

  it('a verdict is one for the engine', () => {
    const inside = (verdict: Verdict): InnerVerdict => verdict
    expect(inside({ decision: 'deny', reason: 'no' })).toEqual({ decision: 'deny', reason: 'no' })
  })
})
