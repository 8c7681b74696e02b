import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { clients } from '../../src/clients/index.ts'
import type { Event } from '../../src/engine/index.ts'
import { isShell } from '../../src/engine/index.ts'
import type { JsonObject } from '../../src/lib/json.ts'
import { capture, captureNames } from '../support/clients/captures.ts'
import { FIXTURES } from '../support/clients/payloads.ts'
import { clientOf } from './decoding.ts'
import { fromPlugin } from './opencode-plugin.ts'

/** Payloads recorded of a client; of a protocol of which there are none, those of its documentation. */
function payloadsOf(id: string): readonly JsonObject[] {
  const folders = readdirSync(new URL('../captures/', import.meta.url)).filter(name =>
    new RegExp(`^${id}-(?:\\d|documented)`).test(name),
  )
  const recorded = folders
    .flatMap(captureNames)
    .map(name => (id === 'opencode' ? fromPlugin(name.slice(name.indexOf('/') + 1)) : capture(name)))
  return recorded.length > 0 ? recorded : Object.values(FIXTURES[id] ?? {})
}

/** What the client tells by of the end of such a call must be able to say that it went well: by each of its events, for any may come alone. */
function saysSuccess(events: readonly Event[], ofShell: boolean): boolean {
  const ends = events.filter(({ kind, call }) => kind === 'tool.after' && call && isShell(call.tool) === ofShell)
  const names = [...new Set(ends.map(one => one.name))]
  return (
    names.length > 0 && names.every(name => ends.some(one => one.name === name && one.call?.status === 'succeeded'))
  )
}

it.each(clients.map(({ id }) => id))('%s tells of the end of calls what its payloads tell', id => {
  const client = clientOf(id)
  const { reportsExit, reportsEnd } = client.capabilities
  const events = payloadsOf(id).flatMap(payload => client.decode(payload, {}))
  expect({ reportsExit, reportsEnd }).toEqual({
    reportsExit: saysSuccess(events, true),
    reportsEnd: saysSuccess(events, false),
  })
})
