import { isClientMatch, type RecordFilter } from '../../../../audit/index.ts'
import { clients } from '../../../../clients/index.ts'
import { didYouMean } from '../../../../policy/index.ts'

/** Clients that records can have: the agents, and Signalbox itself. */
const RECORD_CLIENTS = [...clients.map(client => client.id), 'signalbox', 'unknown']

/** An error text for an unknown client name, which no record can ever match. */
export function findUnknownClient({ client = [] }: RecordFilter): string | undefined {
  const word = client.find(text => !RECORD_CLIENTS.some(id => isClientMatch(id, text)))
  if (word === undefined) return undefined
  return `unknown client \`${word}\`; ${didYouMean(word, RECORD_CLIENTS) ?? `there are ${RECORD_CLIENTS.join(', ')}`}`
}
