import { expect, it } from 'vitest'
import { clientById } from '../../src/clients/index.ts'
import type { Event } from '../../src/engine/index.ts'
import { type NamedSubHook, runSubHooks } from '../../src/hook/subhooks/sub-hooks.ts'

const HOOK = { id: 'hook:user/1', run: 'sleep 60', timeoutMs: 300, onError: 'closed' } as NamedSubHook
const EVENT = { kind: 'tool.before' } as Event

async function problemWhen(leftMs: number): Promise<string | undefined> {
  const client = clientById('claude-code')
  if (!client) throw new Error('no client')
  const around = { client, event: EVENT, input: '', env: { PATH: process.env.PATH }, cwd: '/' }
  const [answer] = await runSubHooks([HOOK], { ...around, mark: `time-${process.pid}`, left: () => leftMs })
  return answer?.problem
}

/** A person looks for the number in the policy: a number that is not there needs an explanation. */
it.each([
  [10_000, 'did not answer within 300 ms'],
  [300.5, 'did not answer within 300 ms'],
  [58.9, 'did not answer within the 58 ms that were left of its 300 ms'],
  [0.9, 'was not started: no time was left'],
])('with %d ms left for a hook of 300 ms, the message names the limit that held', async (leftMs, why) => {
  expect(await problemWhen(leftMs)).toBe(`hook:user/1 \`sleep 60\` ${why}`)
})
