import type { ClientText } from '../../../engine/index.ts'
import type { ClientInfo } from '../context.ts'

const SPAWN_VARIABLE = /\{spawn\.(tool|field)\}/

/** Fills `{spawn.tool}` and `{spawn.field}` with each client's call that starts a subagent; for unknown clients, the first client's. */
export function fillSpawnCalls(text: ClientText, clients: readonly ClientInfo[]): ClientText {
  const texts = typeof text === 'string' ? { default: text } : text
  if (!Object.values(texts).some(name => SPAWN_VARIABLE.test(name))) return text
  const unknown = Object.entries(texts).map(([id, name]) => [id, fillSpawnCall(name, clients[0])])
  const served = clients.map(client => [client.id, fillSpawnCall(texts[client.id] ?? texts.default, client)])
  return { ...Object.fromEntries([...unknown, ...served]), default: fillSpawnCall(texts.default, clients[0]) }
}

const fillSpawnCall = (text: string, client: ClientInfo | undefined): string =>
  text.replace(/\{\{|\{spawn\.(tool|field)\}/g, (whole, part?: 'tool' | 'field') =>
    part && client ? client.spawns[part] : whole,
  )
