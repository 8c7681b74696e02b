import type { JsonObject } from '../lib/json.ts'
import { stringField } from './adapter/decode.ts'
import type { EnvironmentVariables, PayloadMark } from './client.ts'
import { footprintsByClient } from './footprints.ts'

/**
 * Which client sent this payload. `--client` names the client that the hook was registered for, but some agents also run the hooks in
 * another agent's settings and send their own payloads. Such an event is answered in the sender's format, in the sender's session: if
 * both settings name the hook, the event arrives twice with one identity and counts once. An ambiguous payload stays as registered.
 */
export function identifySender(registered: string, payload: JsonObject, env: EnvironmentVariables): string {
  const own = footprintsByClient[registered]
  const isSender = (id: string): boolean =>
    footprintsByClient[id]?.payloadMarks?.some(mark => hasMark(mark, payload, env)) ?? false
  // a client without settings files (`generic`) has no hooks that another agent could run
  if (!own || own.registrations.length === 0 || isSender(registered)) return registered
  const [sender, another] = Object.keys(footprintsByClient).filter(id => id !== registered && isSender(id))
  return sender === undefined || another !== undefined ? registered : sender
}

const hasMark = (
  { env: variable, texts = [], lists = [], transcript, isOwn }: PayloadMark,
  payload: JsonObject,
  env: EnvironmentVariables,
): boolean =>
  (variable === undefined || Boolean(env[variable])) &&
  texts.every(key => stringField(payload, key) !== undefined) &&
  lists.every(key => Array.isArray(payload[key])) &&
  (transcript === undefined || transcript.test(stringField(payload, 'transcript_path') ?? '')) &&
  (isOwn === undefined || isOwn(payload))
