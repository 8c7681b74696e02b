import type { JsonObject } from '../lib/json.ts'
import type { EnvironmentVariables } from './client.ts'
import { footprintsByClient } from './footprints.ts'

/**
 * Whose event this is. The command line says for whom the hook was registered; but a client may run the hooks it finds in the settings of
 * another one, with payloads of its own. It is answered in its own words then, under its own session: registered in both places, the
 * same event comes twice with the same identity, counts once, and is told once. Who is sure of its own, or claimed by several, stays.
 */
export function identifySender(registered: string, payload: JsonObject, env: EnvironmentVariables): string {
  const own = footprintsByClient[registered]
  // a protocol without settings is nobody's to read
  if (!own || own.registrations.length === 0 || own.isSender?.(payload, env)) return registered
  const [sender, another] = Object.keys(footprintsByClient).filter(
    id => id !== registered && footprintsByClient[id]?.isSender?.(payload, env),
  )
  return sender === undefined || another !== undefined ? registered : sender
}
