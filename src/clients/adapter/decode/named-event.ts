import type { Caller, Event, EventKind } from '../../../engine/index.ts'
import type { JsonObject } from '../../../lib/json.ts'
import { DecodeError } from '../../client.ts'
import { stringField } from './fields.ts'

interface EventDecoderOptions {
  readonly client: string
  readonly kindOf: (name: string) => EventKind
  readonly callerOf: (payload: JsonObject, kind: EventKind) => Caller
}

/** Decodes the common part of payloads with `hook_event_name`: kind, session, caller and working directory. */
export const createEventDecoder =
  ({ client, kindOf, callerOf }: EventDecoderOptions) =>
  (payload: JsonObject, hint: { readonly event?: string | undefined }): Event => {
    const name = stringField(payload, 'hook_event_name') ?? hint.event
    if (!name) throw new DecodeError('no `hook_event_name` in the payload')
    const kind = kindOf(name)
    const cwd = stringField(payload, 'cwd')
    const session = stringField(payload, 'session_id') ?? ''
    return { kind, client, name, session, caller: callerOf(payload, kind), ...(cwd !== undefined && { cwd }) }
  }
