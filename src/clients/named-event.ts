import type { Caller, Event } from '../core/index.ts'
import type { EventKind, JsonObject } from '../pattern/index.ts'
import { DecodeError } from './client.ts'
import { text } from './wire.ts'

interface Telling {
  readonly client: string
  readonly kindOf: (name: string) => EventKind
  readonly callerOf: (payload: JsonObject, kind: EventKind) => Caller
}

/** What payloads with a `hook_event_name` tell of every event: what it is, whose, and where. */
export const namedEvent =
  ({ client, kindOf, callerOf }: Telling) =>
  (payload: JsonObject, hint: { readonly event?: string | undefined }): Event => {
    const name = text(payload, 'hook_event_name') ?? hint.event
    if (!name) throw new DecodeError('no `hook_event_name` in the payload')
    const kind = kindOf(name)
    const cwd = text(payload, 'cwd')
    const session = text(payload, 'session_id') ?? ''
    return { kind, client, name, session, caller: callerOf(payload, kind), ...(cwd !== undefined && { cwd }) }
  }
