import { describe, expect, it } from 'vitest'
import { CLIENTS, inPlace, WAYS } from './hook-starters.ts'

/** The option is there, and it does not say `open`: nobody meant that calls pass. */
const UNREADABLE = [['--on-error', 'CLOSED'], ['--on-error', ''], ['--on-error=close'], ['--on-error=']]

describe.each([...WAYS])('%s, an --on-error that cannot be read', way => {
  it.each(UNREADABLE)('%s %s counts as closed, with and without the program', { timeout: 120_000 }, async (...args) => {
    await inPlace(way, 'open', async place => {
      for (const client of CLIENTS)
        for (const program of [undefined, place.bare]) {
          const reply = await place.call(client, place.payload(client), { args, ...(program && { program }) })
          expect([client, program?.[0], place.outcome(client, reply)]).toEqual([client, program?.[0], 'refused'])
        }
    })
  })

  it('the last word of the command has no value, and counts as closed', async () => {
    await inPlace(way, 'open', async place => {
      const reply = await place.call('claude-code', place.payload('claude-code'), { args: ['--on-error'] })
      expect(place.outcome('claude-code', reply)).toBe('refused')
    })
  })
})
