import { clients } from '../clients/index.ts'
import { didYouMean } from '../policy/index.ts'
import { type Filter, isClient } from '../trail/index.ts'

/** Whose records there can be: the agents', and our own. */
const IDS = [...clients.map(one => one.id), 'signalbox', 'unknown']

/** A word for a client that is none, in one line: there never is a record like that. */
export function unknownClient({ client = [] }: Filter): string | undefined {
  const word = client.find(one => !IDS.some(id => isClient(id, one)))
  if (word === undefined) return undefined
  return `unknown client \`${word}\`; ${didYouMean(word, IDS) ?? `there are ${IDS.join(', ')}`}`
}
