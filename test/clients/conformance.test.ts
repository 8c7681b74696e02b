import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Client, clients, DecodeError, type Reply } from '../../src/clients/index.ts'
import {
  capabilityOf,
  DECISIONS,
  type Decision,
  EVENT_KINDS,
  type Event,
  type EventKind,
  lowerOutcome,
  NO_OPINION,
  type Outcome,
} from '../../src/engine/index.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { FIXTURES } from '../support/clients/payloads.ts'
import { type Understood, understood } from '../support/clients/replies.ts'
import { isWeaker } from '../support/weaker-decision.ts'

/** Where a client does not do as the others do, and why. One that is not needed any more fails too. */
const DEVIATIONS: Readonly<Record<string, string>> = {
  'cursor says an empty object on no opinion': 'nothing at all is a failed run to it',
  'generic speaks on no opinion': 'its protocol has an answer to everything, and `approve` is its only yes',
  'claude-code leaves a question on permission.request to the client': 'the client is about to ask the person itself',
  'qwen-code leaves a question on permission.request to the client': 'the client is about to ask the person itself',
}
const used = new Set<string>()
const deviates = (what: string): boolean => {
  if (DEVIATIONS[what] === undefined) return false
  used.add(what)
  return true
}

const kindsOf = (client: Client): readonly (readonly [EventKind, JsonObject])[] =>
  EVENT_KINDS.flatMap(kind => {
    const payload = FIXTURES[client.id]?.[kind]
    return payload === undefined ? [] : [[kind, payload] as const]
  })

/** The pipeline answers on a payload's first event. */
const firstOf = (client: Client, payload: JsonObject): Event => {
  const [event] = client.decode(payload, {})
  if (event === undefined) throw new Error('a payload holds an event')
  return event
}

const REASON = 'because it is not tested'
const wantedOf = (decision: Decision): Outcome => ({
  ...NO_OPINION,
  decision,
  reason: decision === 'pass' ? '' : REASON,
  context: 'for the agent',
  message: 'for the person',
})

const read = (client: Client, reply: Reply, { name }: Event): Understood => understood(client.id, reply, name)

describe.each(clients.map(client => [client.id, client] as const))('%s', (id, client) => {
  test('has a payload for every event it claims', () => {
    const claimed = EVENT_KINDS.filter(kind => client.capabilities.events[kind] !== undefined)
    const present = kindsOf(client).map(([kind]) => kind)
    expect(claimed.filter(kind => !present.includes(kind))).toEqual([])
  })

  test.each(kindsOf(client))('%s is decoded', (kind, payload) => {
    const events = client.decode(payload, {})
    expect(events.map(event => event.kind)).toContain(kind)
    for (const event of events) {
      expect(event.client).toBe(id)
      expect(event.call?.acts ?? []).toEqual([])
      expect(event.call === undefined || event.call.tool !== '').toBe(true)
    }
    expect(client.decode(payload, {})).toEqual(events)
  })

  describe.each(kindsOf(client))('on %s', (kind, payload) => {
    const event = firstOf(client, payload)
    const capability = capabilityOf(client.capabilities, kind)

    test.each(DECISIONS)('%s is said exactly so, or not weaker', decision => {
      const wanted = wantedOf(decision)
      const lowered = lowerOutcome(wanted, capability)
      const reply = client.encode(lowered, event)
      const said = read(client, reply, event)
      expect(reply).toMatchObject({ exitCode: 0, stderr: '' })
      if (lowered.decision === 'ask' && deviates(`${id} leaves a question on ${kind} to the client`)) {
        expect(said).toMatchObject({ decision: 'pass', message: expect.stringContaining(REASON) })
        return
      }
      const yes = lowered.decision === 'pass' && deviates(`${id} speaks on no opinion`)
      expect(said.decision).toBe(yes ? 'allow' : lowered.decision)
      if (capability.can.includes('deny')) expect(yes || !isWeaker(said.decision, decision)).toBe(true)
      if (said.decision === 'deny' || said.decision === 'ask') expect(said.reason).toContain(REASON)
      expect(reply.refuses ?? false).toBe(said.decision === 'deny' || said.decision === 'ask')
    })

    test('words of the agent in a rewritten input refuse nothing', () => {
      const input = { decision: 'deny', permissionDecision: 'deny', behavior: 'deny' }
      expect(client.encode({ ...wantedOf('pass'), input }, event).refuses).toBeUndefined()
    })

    test('agent and person hear what the table says, and nothing else', () => {
      const said = read(client, client.encode(wantedOf('pass'), event), event)
      expect(said.context.includes('for the agent')).toBe(capability.context === true)
      expect(said.message.includes('for the person')).toBe(capability.message === true)
    })

    test.each(DECISIONS)('a rewritten input goes out with %s if the table says so', decision => {
      // of two events in one payload the first is the call
      const can = capabilityOf(client.capabilities, event.kind)
      const lowered = lowerOutcome(wantedOf(decision), can)
      const carried = can.rewrites?.includes(lowered.decision) === true
      const input = { command: 'ls -la' }
      const said = read(client, client.encode({ ...lowered, input }, event), event)
      expect(said.input).toEqual(carried ? input : undefined)
      expect(carried && client.rewritten === undefined).toBe(false)
    })

    test('a refusal that cannot be said becomes words', () => {
      if (capability.can.includes('deny')) return
      expect(lowerOutcome(wantedOf('deny'), capability)).toMatchObject({
        decision: 'pass',
        context: expect.stringContaining(REASON),
      })
    })

    test('no opinion is silence', () => {
      const { stdout, ...rest } = client.encode(NO_OPINION, event)
      expect(rest).toEqual({ exitCode: 0, stderr: '' })
      if (deviates(`${id} speaks on no opinion`)) expect(JSON.parse(stdout)).toEqual({ decision: 'approve' })
      else expect(stdout).toBe(deviates(`${id} says an empty object on no opinion`) ? '{}' : '')
    })

    test.each(['open', 'closed'] as const)('a failure answers %s', posture => {
      const { name } = event
      for (const known of [{ name, kind: event.kind }, { name }]) {
        const reply = client.failure(posture, known, 'it broke\nin two lines')
        const said = read(client, reply, event)
        const refusable = event.kind === 'tool.before' || event.kind === 'permission.request'
        expect(said.decision === 'deny').toBe(posture === 'closed' && refusable)
        if (said.decision === 'deny') expect(said.reason).toContain('it broke')
        expect(reply.refuses ?? false).toBe(said.decision === 'deny')
        expect([0, 2]).toContain(reply.exitCode)
        expect(reply.stderr).toMatch(/^signalbox: .*it broke in two lines[^\n]*$/)
        expect(reply.exitCode === 2 && reply.stdout !== '').toBe(false)
      }
    })
  })

  test('strange payloads are no crash', () => {
    const json: fc.Arbitrary<JsonObject[string]> = fc
      .jsonValue({ maxDepth: 2 })
      .map(value => JSON.parse(JSON.stringify(value)))
    const payloads = kindsOf(client).map(([, payload]) => payload)
    const keys = [...new Set(payloads.flatMap(payload => Object.keys(payload))), 'unheard_of', '__proto__']
    const changes = fc.array(fc.tuple(fc.constantFrom(...keys), json), { maxLength: 4 })
    fc.assert(
      fc.property(
        fc.constantFrom(...payloads),
        changes,
        fc.constantFrom(...DECISIONS),
        (payload, changed, decision) => {
          const strange = { ...payload, ...Object.fromEntries(changed) }
          const events = attempt(() => client.decode(strange, {}))
          const [event] = events
          if (event === undefined) return
          const reply = client.encode(
            lowerOutcome(wantedOf(decision), capabilityOf(client.capabilities, event.kind)),
            event,
          )
          expect(reply.exitCode).toBe(0)
          understood(id, reply, event.name)
        },
      ),
      { numRuns: 400 },
    )
  })

  test('a failure of nothing known is an answer', () => {
    for (const posture of ['open', 'closed'] as const) {
      const reply = client.failure(posture, { cause: 'input' }, 'no input')
      expect(reply.exitCode).not.toBe(1)
      if (reply.stdout !== '') expect(() => JSON.parse(reply.stdout)).not.toThrow()
    }
  })
})

const attempt = (work: () => readonly Event[]): readonly Event[] => {
  try {
    return work()
  } catch (error) {
    expect(error).toBeInstanceOf(DecodeError)
    return []
  }
}

/** Their own names of tools are never those of another agent: what they do not map they do not have. */
const MAPPING = clients.filter(
  ({ id, toolNames }) => id !== 'generic' && Object.keys(toolNames).every(name => /^[a-z]/.test(name)),
)

test.each(MAPPING.map(client => [client.id, client] as const))(
  '%s says of every tool that another agent has whether it has it',
  (_, { toolNames, toolsWithoutEvents = [] }) => {
    const all = new Set(clients.flatMap(client => Object.values(client.toolNames)))
    const has = new Set(Object.values(toolNames))
    expect([...all].filter(tool => !has.has(tool) && !toolsWithoutEvents.includes(tool))).toEqual([])
  },
)

test('one name of a tool means one tool, whoever uses it', () => {
  const all = clients.flatMap(client => Object.entries(client.toolNames))
  const meanings = (name: string) => new Set(all.filter(([own]) => own === name).map(([, canonical]) => canonical))
  expect(all.map(([name]) => name).filter(name => meanings(name).size > 1)).toEqual([])
})

test('every deviation is still one', () => {
  expect(Object.keys(DEVIATIONS).filter(what => !used.has(what))).toEqual([])
})
