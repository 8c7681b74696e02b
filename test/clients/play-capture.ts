import type { Client } from '../../src/clients/index.ts'
import { actionsOfTool, type Event, evaluate, newSession, type Program } from '../../src/engine/index.ts'
import type { JsonObject } from '../../src/lib/json.ts'

const PROGRAM: Program = { hash: '', gates: [], allow: [], notices: [] }

/** A recorded session without a policy: a line an event, `kind caller tool status`, and what the session is in the end. */
export function play(client: Client, payloads: readonly JsonObject[]) {
  let session = newSession('s', '/p', 0)
  const lines = payloads.flatMap((payload, nth) =>
    client.decode(payload, {}).map(decoded => {
      const { call: made } = decoded
      const reading = made && actionsOfTool(made.tool, made.input)
      const acts = reading && 'acts' in reading ? reading.acts : []
      const event: Event = made ? { ...decoded, call: { ...made, acts } } : decoded
      const facts = { now: nth, env: {}, root: '/p' }
      const no = { search: () => null }
      const given = { event, session, program: PROGRAM, facts, capabilities: client.capabilities }
      const result = evaluate(given, { regex: no })
      session = result.session
      const { record } = result
      return [record.event, record.caller, record.tool ?? event.agent, event.call?.status].filter(Boolean).join(' ')
    }),
  )
  return { lines, session }
}
