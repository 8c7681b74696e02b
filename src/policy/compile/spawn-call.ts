import type { Text } from '../../core/index.ts'
import type { Served } from './context.ts'

const NAMED = /\{spawn\.(tool|field)\}/

/** `{spawn.tool}` and `{spawn.field}`: the call that starts a subagent, as each client has it. The first stands for those nobody knows. */
export function withSpawnCalls(text: Text, clients: readonly Served[]): Text {
  const texts = typeof text === 'string' ? { default: text } : text
  if (!Object.values(texts).some(one => NAMED.test(one))) return text
  const unknown = Object.entries(texts).map(([id, one]) => [id, withCall(one, clients[0])])
  const served = clients.map(client => [client.id, withCall(texts[client.id] ?? texts.default, client)])
  return { ...Object.fromEntries([...unknown, ...served]), default: withCall(texts.default, clients[0]) }
}

const withCall = (text: string, client: Served | undefined): string =>
  text.replace(/\{\{|\{spawn\.(tool|field)\}/g, (whole, part?: 'tool' | 'field') =>
    part && client ? client.spawns[part] : whole,
  )
