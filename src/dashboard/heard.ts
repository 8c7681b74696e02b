import { CANARY_SESSION } from '../pattern/index.ts'
import { type AuditRecord, isOfAgent, type TrailReader } from '../store/index.ts'
import type { Found } from '../trail/index.ts'
import type { Archive } from './archive.ts'
import { readable } from './lookup.ts'
import { rangesOf } from './lookup-keys.ts'
import { scanBack, type Wanted } from './scan.ts'

/** As many as tell who calls all the time. */
const LATEST = 1000
const SEARCH_MS = 60

/** The latest records, and of each client that is silent for longer its last call or canary; oldest first. */
export function lastHeard(archive: Archive, trail: TrailReader, clients: readonly string[]): readonly AuditRecord[] {
  const latest = [...trail.before(Number.MAX_SAFE_INTEGER, LATEST)].reverse()
  const records = latest.flatMap(readable)
  const [first] = latest
  const older = first ? searchBefore(archive, trail, first.seq) : () => []
  const calls = older(isOfAgent, silent(clients, records, isOfAgent), {})
  const canaries = older(
    isCanary,
    silent(clients, [...records, ...calls], () => true),
    { session: [CANARY_SESSION] },
  )
  return [...[...calls, ...canaries].sort((a, b) => a.seq - b.seq), ...records].map(({ record }) => record)
}

const isCanary = ({ session, decision }: AuditRecord): boolean =>
  session.startsWith(CANARY_SESSION) && decision === 'deny'

type Is = (record: AuditRecord) => boolean

const silent = (clients: readonly string[], found: readonly Found[], is: Is): ReadonlySet<string> => {
  const heard = new Set(found.flatMap(({ record }) => (is(record) ? [record.client] : [])))
  return new Set(clients.filter(one => !heard.has(one)))
}

/** One of each client, by index. */
const searchBefore =
  (archive: Archive, trail: TrailReader, before: number) =>
  (is: Is, clients: ReadonlySet<string>, keys: { readonly session?: readonly string[] }): readonly Found[] => {
    if (clients.size === 0) return []
    const missing = new Set(clients)
    const wanted: Wanted = {
      keys: rangesOf({ ...keys, client: [...clients], all: true }, undefined),
      couldBe: json => missing.has(/"client":"([^"]*)"/.exec(json)?.[1] ?? ''),
      is: ({ record }) => is(record) && missing.delete(record.client),
    }
    return scanBack(trail, archive.lookup(), wanted, { before, most: clients.size, ms: SEARCH_MS }).found
  }
