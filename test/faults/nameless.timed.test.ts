import { describe, expect, it } from 'vitest'
import { DIALECTS } from '../support/clients/dialects.ts'
import { withSandbox } from '../support/sandbox.ts'

/** The payload with another value wherever it names its tool. */
const renamed = (payload: unknown, value: unknown): unknown =>
  JSON.parse(JSON.stringify(payload), (key, old) =>
    /^tool(_name|Name)?$/.test(key) && typeof old === 'string' ? value : old,
  )

// Cursor's shell calls name a command and no tool; on `generic` a payload without a tool is another event
const NAMING = Object.entries(DIALECTS).filter(([client]) => client !== 'cursor' && client !== 'generic')

describe.each(NAMING)('a call of %s that names no tool', (client, { call, refuses, before }) => {
  it.each([5, null, ['Bash']])(
    'but %j is refused where the call says closed, passes with a line else, and is on record',
    value =>
      withSandbox({}, async sandbox => {
        const input = JSON.stringify(renamed(call('git push'), value))
        const ask = (onError: string) =>
          sandbox.hook(client, input, { args: ['--event', before, '--on-error', onError] })
        expect(refuses(await ask('closed'))).toBe(true)
        const passed = await ask('open')
        expect([passed.exitCode, refuses(passed)]).toEqual([0, false])
        expect(passed.stderr).toContain('the call names no tool')
        expect(sandbox.records().map(({ errors }) => errors)).toEqual([
          ['the call names no tool'],
          ['the call names no tool'],
        ])
      }),
  )
})

describe.each(['claude-code', 'codex-cli', 'qwen-code', 'gemini-cli'])(
  'a call of %s without the name of its event',
  client => {
    it('is refused where the call says closed', () =>
      withSandbox({}, async sandbox => {
        const { call, refuses } = DIALECTS[client] ?? {}
        const { hook_event_name, ...rest } = call?.('git push') ?? {}
        expect(hook_event_name).toBeDefined()
        const reply = await sandbox.hook(client, JSON.stringify(rest), { args: ['--on-error', 'closed'] })
        expect(refuses?.(reply)).toBe(true)
      }))
  },
)
