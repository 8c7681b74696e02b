import type { ParsedRecord } from '../../../audit/index.ts'
import { CANARY_SESSION } from '../../../engine/index.ts'
import { type AuditLogReader, type AuditRecord, isAgentRecord } from '../../../store/index.ts'
import type { DashboardRecords } from '../archive.ts'
import { parseReadable } from './lookup.ts'
import { lookupRangesOf } from './lookup-keys.ts'
import { type RecordMatcher, scanBackwards } from './scan.ts'

/** Enough records to include all active clients. */
const MAX_LATEST = 1000
const SEARCH_MS = 60

/** The latest records, and the last call or canary of clients without recent records; oldest first. */
export function latestRecordsPerClient(
  archive: DashboardRecords,
  auditLog: AuditLogReader,
  clients: readonly string[],
): readonly AuditRecord[] {
  const latest = [...auditLog.before(Number.MAX_SAFE_INTEGER, MAX_LATEST)].reverse()
  const records = latest.flatMap(parseReadable)
  const [first] = latest
  const older = first ? createSearchBefore(archive, auditLog, first.seq) : () => []
  const calls = older(isAgentRecord, clientsWithout(clients, records, isAgentRecord), {})
  const canaries = older(
    isCanary,
    clientsWithout(clients, [...records, ...calls], () => true),
    { session: [CANARY_SESSION] },
  )
  return [...[...calls, ...canaries].sort((a, b) => a.seq - b.seq), ...records].map(({ record }) => record)
}

const isCanary = ({ session, decision }: AuditRecord): boolean =>
  session.startsWith(CANARY_SESSION) && decision === 'deny'

type RecordTest = (record: AuditRecord) => boolean

const clientsWithout = (
  clients: readonly string[],
  found: readonly ParsedRecord[],
  is: RecordTest,
): ReadonlySet<string> => {
  const seenClients = new Set(found.flatMap(({ record }) => (is(record) ? [record.client] : [])))
  return new Set(clients.filter(client => !seenClients.has(client)))
}

/** Finds one record of each client through the lookup. */
const createSearchBefore =
  (archive: DashboardRecords, auditLog: AuditLogReader, before: number) =>
  (
    is: RecordTest,
    clients: ReadonlySet<string>,
    keys: { readonly session?: readonly string[] },
  ): readonly ParsedRecord[] => {
    if (clients.size === 0) return []
    const missing = new Set(clients)
    const wanted: RecordMatcher = {
      keys: lookupRangesOf({ ...keys, client: [...clients], all: true }, undefined),
      couldBe: json => missing.has(/"client":"([^"]*)"/.exec(json)?.[1] ?? ''),
      is: ({ record }) => is(record) && missing.delete(record.client),
    }
    return scanBackwards(auditLog, archive.lookup(), wanted, { before, most: clients.size, ms: SEARCH_MS }).found
  }
