import type { AuditLogReader, SessionKey } from '../../../store/index.ts'
import type { SessionPage, SessionRow } from '../api.ts'
import type { DashboardRecords } from '../archive.ts'
import { BLOCK_SIZE, parseReadable } from '../records/lookup.ts'
import { isSessionEnd } from '../records/session-end.ts'
import { addToSession, mergeSessionSums, type SessionSums, sessionKeyOf } from '../records/session-sums.ts'
import type { QueryParameters } from '../server/query.ts'

const PAGE_LIMIT = { usual: 50, most: 200 }
const SORT_MS = 200
/** records not indexed yet are read directly, up to this many */
const MAX_UNSORTED = 16 * BLOCK_SIZE

export function listSessions(archive: DashboardRecords, query: QueryParameters): SessionPage {
  const limit = query.number('limit', { least: 1, most: PAGE_LIMIT.most }) ?? PAGE_LIMIT.usual
  const before = query.number('before') ?? Number.MAX_SAFE_INTEGER
  const [client, root] = [query.text('client'), query.text('project')]
  const page = archive.read(auditLog => {
    const rootOf = archive.rootOf()
    const lookup = archive.lookup()
    lookup.advance(auditLog, rootOf, SORT_MS)
    const tail = unsortedSessionsOf(archive, auditLog)
    const isWanted = (sums: SessionSums) =>
      (client === undefined || sums.client === client) && (root === undefined || sums.root === root)
    const fresh = [...tail.values()]
      .filter(sums => sums.last < before && isWanted(sums))
      .sort((a, b) => b.last - a.last)
    const only = { ...(client !== undefined && { client }), ...(root !== undefined && { root }) }
    // unindexed sessions are already in `fresh`; the lookup has only their older part
    const rows = lookup
      .sessions(before, limit + 1 + tail.size, only)
      .filter(session => !tail.has(sessionKeyOf(session)))
    const all = [...fresh, ...rows]
    const shown = all.slice(0, limit)
    return {
      rows: shown.map(sums => toSessionRow(sums, rootOf(sums.client, sums.session), auditLog)),
      before: all.length > limit ? (shown.at(-1)?.last ?? null) : null,
      indexingProgress: lookup.progress(auditLog),
    }
  })
  return page ?? { rows: [], before: null, indexingProgress: { blocks: 0, of: 0 } }
}

/** Sessions in records that are not indexed yet, with their sums from the lookup added. */
export function unsortedSessionsOf(
  archive: DashboardRecords,
  auditLog: AuditLogReader,
): ReadonlyMap<string, SessionSums> {
  const lookup = archive.lookup()
  const rootOf = archive.rootOf()
  const from = Math.max((lookup.newest + 1) * BLOCK_SIZE - 1, auditLog.last() - MAX_UNSORTED)
  const fresh = new Map<string, SessionSums>()
  for (const found of auditLog.after(from, MAX_UNSORTED).flatMap(parseReadable))
    addToSession(fresh, found, rootOf(found.record.client, found.record.session) ?? found.record.root)
  return new Map(
    [...fresh].map(([key, sums]) => {
      const known = lookup.session(sums.client, sums.session)
      return [key, known ? mergeSessionSums(known, sums) : sums]
    }),
  )
}

export function findSession(archive: DashboardRecords, auditLog: AuditLogReader, { client, session }: SessionKey) {
  return (
    unsortedSessionsOf(archive, auditLog).get(sessionKeyOf({ client, session })) ??
    archive.lookup().session(client, session)
  )
}

export const toSessionRow = (
  { root, agents, ...sums }: SessionSums,
  live: string | undefined,
  auditLog: AuditLogReader,
): SessionRow => ({
  ...sums,
  agents: agents.size,
  project: live ?? root,
  isLive: live !== undefined && !isSessionEnd(auditLog, sums.last),
})
