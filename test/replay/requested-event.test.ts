import { expect, it } from 'vitest'
import { ReplayEvaluator } from '../../src/analysis/replay/replay-evaluator.ts'
import { eventIdOf, Tally } from '../../src/analysis/replay/tally.ts'
import { internalsOf } from '../../src/api/internals.ts'
import { clientById } from '../../src/clients/index.ts'
import type { Event } from '../../src/engine/index.ts'
import { regex } from '../../src/hook/services/regex.ts'
import { compile } from '../../src/policy.ts'

const POLICY = `
gates:
  no-push:
    rules: [{ id: push, when: { command: git push }, then: deny, message: No. }]
`
const client = clientById('claude-code') ?? expect.unreachable('claude-code is a client')

const callOf = (command: string, id: string): Event => ({
  kind: 'tool.before',
  client: client.id,
  name: 'PreToolUse',
  session: 's',
  caller: { kind: 'main' },
  call: { tool: 'Bash', id, input: { command }, acts: [] },
})

it('each event of a payload has an id of its own, by which it can be requested', () => {
  const compiled = compile(POLICY)
  const { program } = compiled.ok ? internalsOf(compiled.policy) : expect.unreachable('the policy loads')
  const wanted = [1, 2].map(nth => {
    const want = eventIdOf({ key: `${client.id} s`, nth })
    const evaluator = new ReplayEvaluator({
      home: '/home',
      regex,
      want,
      policiesFor: () => ({ root: '/p', after: program }),
    })
    const tally = new Tally({ want })
    const moment = { at: 1, client, events: [callOf('git push', 'a'), callOf('ls', 'b')] }
    for (const compared of evaluator.judge(moment)) tally.note(compared, moment)
    return tally.wanted?.sample
  })
  expect(wanted.map(one => one?.what)).toEqual(['git push', undefined])
  expect(wanted[0]?.id).toBe(eventIdOf({ key: `${client.id} s`, nth: 1 }))
})
