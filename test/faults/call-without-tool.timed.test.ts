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

describe.each(['claude-code', 'codex-cli', 'qwen-code', 'gemini-cli'])(
  'a call of %s in an event that nobody knows, without a program to judge it',
  client => {
    const { call, refuses } = DIALECTS[client] ?? {}
    const payload = JSON.stringify({ ...call?.('git push'), hook_event_name: 'BeforeEverything' })
    const past = JSON.stringify({ ...call?.('git push'), hook_event_name: 'AfterEverything' })

    it('is refused where the call says closed; one about the past passes', () =>
      withSandbox({}, async sandbox => {
        const broken = { env: { SIGNALBOX_HOME: '/dev/null/none' } }
        const cut = payload.slice(0, payload.indexOf('git push'))
        for (const text of [payload, cut]) {
          const reply = await sandbox.hook(client, text, { ...broken, args: ['--on-error', 'closed'] })
          expect([text, refuses?.(reply)]).toEqual([text, true])
        }
        const passed = await sandbox.hook(client, past, { ...broken, args: ['--on-error', 'closed'] })
        expect(refuses?.(passed)).toBe(false)
        const open = await sandbox.hook(client, cut)
        expect([open.exitCode, refuses?.(open)]).toEqual([0, false])
        expect(open.stdout + open.stderr).toContain('is not JSON')
      }))
  },
)
