import { isClientMatch, type RecordFilter } from '../../../../audit/index.ts'
import { clients } from '../../../../clients/index.ts'
import { didYouMean } from '../../../../policy/index.ts'

/** Whose records there can be: the agents', and our own. */
const RECORD_CLIENTS = [...clients.map(one => one.id), 'signalbox', 'unknown']

/** A word for a client that is none, in one line: there never is a record like that. */
export function findUnknownClient({ client = [] }: RecordFilter): string | undefined {
  const word = client.find(one => !RECORD_CLIENTS.some(id => isClientMatch(id, one)))
  if (word === undefined) return undefined
  return `unknown client \`${word}\`; ${didYouMean(word, RECORD_CLIENTS) ?? `there are ${RECORD_CLIENTS.join(', ')}`}`
}
