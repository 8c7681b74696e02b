import { type Client, clientById } from '../../src/clients/index.ts'
import { actionsOfTool, type Event, type ToolCall } from '../../src/engine/index.ts'
import type { JsonObject } from '../../src/lib/json.ts'

export function clientOf(id: string): Client {
  const client = clientById(id)
  if (client === undefined) throw new Error(`${id} is not in the list`)
  return client
}

/** The event a payload is answered for. */
export function firstEvent(client: Client, payload: JsonObject, hint?: string): Event {
  const [event] = client.decode(payload, { event: hint })
  if (event === undefined) throw new Error('no event')
  return event
}

/** What a call is about, act by act: a URL, an agent, a place, or only what is done. */
export function objectsOf(call: ToolCall | undefined): readonly unknown[] {
  const reading = actionsOfTool(call?.tool ?? '', call?.input ?? {})
  const acts = 'acts' in reading ? reading.acts : []
  return acts.map(act => act.url ?? act.agent ?? act.place?.lexical ?? act.action)
}
