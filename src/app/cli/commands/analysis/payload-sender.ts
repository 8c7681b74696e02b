import { type Client, clients } from '../../../../clients/index.ts'
import { identifySender } from '../../../../hook/index.ts'
import { tryOr } from '../../../../lib/errors.ts'
import type { JsonObject } from '../../../../lib/json.ts'

/** The agent that a payload is explained for, and what the person should know about that choice. */
export interface PayloadSender {
  readonly client: Client
  readonly notes: readonly string[]
}

/**
 * Which agent sent a payload that a person saved. Without `--client` it is the agent that alone knows its event; an event that several
 * know is explained as the default agent's. Returns an error text if no agent sends such a payload.
 */
export function findPayloadSender(
  payload: JsonObject,
  named: { readonly client: Client; readonly isDefault: boolean },
  env: Readonly<Record<string, string | undefined>>,
): PayloadSender | string {
  const sender = identifySender(named.client.id, payload, env)
  const client = clients.find(({ id }) => id === sender) ?? named.client
  if (knowsEvent(client, payload)) return { client, notes: [] }
  // `generic` reads nearly everything, so that it can read a payload says nothing
  const others = clients.filter(one => one.registrations.length > 0 && knowsEvent(one, payload))
  const [other, another] = others
  if (named.isDefault && other && !another)
    return { client: other, notes: [`read as a payload of ${other.title}: \`--client ${other.id}\``] }
  const ids = others.map(({ id }) => id).join(', ')
  const hint = ids === '' ? '' : `; it is sent by ${ids}: name the agent with \`--client\``
  if (decodedKinds(client, payload) !== undefined)
    return { client, notes: ids === '' ? [] : [`${client.title} has no event of this name${hint}`] }
  return `${client.title} does not send this payload: it names no event${hint || NO_SENDER_HELP}`
}

const NO_SENDER_HELP = '; save what the hook gets on stdin, and name the agent with `--client`'

const decodedKinds = (client: Client, payload: JsonObject): readonly string[] | undefined =>
  tryOr(undefined, () => client.decode(payload, {}).map(({ kind }) => kind))

const knowsEvent = (client: Client, payload: JsonObject): boolean =>
  decodedKinds(client, payload)?.some(kind => kind !== 'other') ?? false
