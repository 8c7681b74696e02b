import { describe, expect, it } from 'vitest'
import { allow, ask, defineGate, deny, type GateEvent, type GateSnapshot, pass } from '../../src/index.ts'

const state: GateSnapshot = { state: 'open', operations: 0, changed: { at: 0, turn: 0, operations: 0 } }
const base = { client: 'claude-code', name: 'x', session: 's', caller: { kind: 'main' } } as const
const call: GateEvent = { ...base, kind: 'tool.before', call: { tool: 'Bash', input: {}, actions: [] } }
const stop: GateEvent = { ...base, kind: 'turn.stop' }

describe('defineGate', () => {
  it('judges every event without `on`', () => {
    const gate = defineGate({ judge: event => deny(event.kind) })
    expect([gate.judge(call, state), gate.judge(stop, state)]).toEqual([
      { decision: 'deny', reason: 'tool.before' },
      { decision: 'deny', reason: 'turn.stop' },
    ])
  })

  it('passes the kinds of events that `on` does not name', () => {
    const one = defineGate({ on: 'tool.before', judge: event => deny(event.call.tool) })
    expect([one.judge(call, state), one.judge(stop, state)]).toEqual([
      { decision: 'deny', reason: 'Bash' },
      { decision: 'pass' },
    ])
    const several = defineGate({ on: ['turn.stop', 'session.end'], judge: () => deny('no') })
    expect([several.judge(call, state).decision, several.judge(stop, state).decision]).toEqual(['pass', 'deny'])
  })

  it('refuses a kind of event that does not exist, and a gate that judges nothing', () => {
    // @ts-expect-error: a typo is an error of types, too
    expect(() => defineGate({ on: 'tool.befor', judge: () => pass() })).toThrow('unknown event kind `tool.befor`')
    // @ts-expect-error
    expect(() => defineGate({})).toThrow('`judge(event, state)`')
    // @ts-expect-error
    expect(() => defineGate()).toThrow('`judge(event, state)`')
  })

  it('types the event by `on`', () => {
    defineGate({ on: 'prompt.submit', judge: event => pass({ context: event.prompt.text }) })
    defineGate({ on: 'agent.stop', judge: event => pass({ context: event.answer ?? '' }) })
    // @ts-expect-error: the end of a turn has no call
    defineGate({ on: 'turn.stop', judge: event => deny(event.call.tool) })
    // @ts-expect-error: a refusal needs a reason
    defineGate({ judge: () => ({ decision: 'deny' }) })
    // @ts-expect-error: it must answer at once
    defineGate({ judge: async () => pass() })
  })
})

describe('verdicts', () => {
  it('are what the engine reads', () => {
    expect([deny('a'), ask('b', { message: 'm' }), allow('c'), pass(), pass({ context: 'd' })]).toEqual([
      { decision: 'deny', reason: 'a' },
      { decision: 'ask', reason: 'b', message: 'm' },
      { decision: 'allow', reason: 'c' },
      { decision: 'pass' },
      { decision: 'pass', context: 'd' },
    ])
  })
})
