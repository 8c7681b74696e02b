import type { JsonObject } from '../lib/json.ts'
import type { EnvironmentVariables } from './client.ts'
import { footprintsByClient } from './footprints.ts'

/**
 * Which client sent this payload. `--client` names the client that the hook was registered for, but some agents also run the hooks in
 * another agent's settings and send their own payloads. Such an event is answered in the sender's format, in the sender's session: if
 * both settings name the hook, the event arrives twice with one identity and counts once. An ambiguous payload stays as registered.
 */
export function identifySender(registered: string, payload: JsonObject, env: EnvironmentVariables): string {
  const own = footprintsByClient[registered]
  // a client without settings files (`generic`) has no hooks that another agent could run
  if (!own || own.registrations.length === 0 || own.isSender?.(payload, env)) return registered
  const [sender, another] = Object.keys(footprintsByClient).filter(
    id => id !== registered && footprintsByClient[id]?.isSender?.(payload, env),
  )
  return sender === undefined || another !== undefined ? registered : sender
}
