import type { SessionKey, TrailReader } from '../store/index.ts'
import type { SessionPage, SessionRow } from './api.ts'
import type { Archive } from './archive.ts'
import { BLOCK, readable } from './lookup.ts'
import type { Query } from './query.ts'
import { isEnd } from './session-end.ts'
import { addSession, keyOf, type SessionSums, together } from './session-sums.ts'

const LIMIT = { usual: 50, most: 200 }
const SORT_MS = 200
/** what is not sorted yet is read, and there may be much of it */
const MOST_TAIL = 16 * BLOCK

export function sessions(archive: Archive, query: Query): SessionPage {
  const limit = query.number('limit', { least: 1, most: LIMIT.most }) ?? LIMIT.usual
  const before = query.number('before') ?? Number.MAX_SAFE_INTEGER
  const [client, root] = [query.text('client'), query.text('project')]
  const page = archive.read(trail => {
    const rootOf = archive.rootOf()
    const lookup = archive.lookup()
    lookup.advance(trail, rootOf, SORT_MS)
    const tail = tailOf(archive, trail)
    const isWanted = (one: SessionSums) =>
      (client === undefined || one.client === client) && (root === undefined || one.root === root)
    const fresh = [...tail.values()].filter(one => one.last < before && isWanted(one)).sort((a, b) => b.last - a.last)
    const only = { ...(client !== undefined && { client }), ...(root !== undefined && { root }) }
    // those of the tail stand in it with what they were before
    const kept = lookup.sessions(before, limit + 1 + tail.size, only).filter(one => !tail.has(keyOf(one)))
    const all = [...fresh, ...kept]
    const shown = all.slice(0, limit)
    return {
      rows: shown.map(one => sessionRow(one, rootOf(one.client, one.session), trail)),
      before: all.length > limit ? (shown.at(-1)?.last ?? null) : null,
      indexed: lookup.progress(trail),
    }
  })
  return page ?? { rows: [], before: null, indexed: { blocks: 0, of: 0 } }
}

/** Of sessions in what is not sorted yet: all that is known of them. */
export function tailOf(archive: Archive, trail: TrailReader): ReadonlyMap<string, SessionSums> {
  const lookup = archive.lookup()
  const rootOf = archive.rootOf()
  const from = Math.max((lookup.newest + 1) * BLOCK - 1, trail.last() - MOST_TAIL)
  const fresh = new Map<string, SessionSums>()
  for (const found of trail.after(from, MOST_TAIL).flatMap(readable))
    addSession(fresh, found, rootOf(found.record.client, found.record.session) ?? found.record.root)
  return new Map(
    [...fresh].map(([key, sums]) => {
      const known = lookup.session(sums.client, sums.session)
      return [key, known ? together(known, sums) : sums]
    }),
  )
}

export function oneSession(archive: Archive, trail: TrailReader, { client, session }: SessionKey) {
  return tailOf(archive, trail).get(keyOf({ client, session })) ?? archive.lookup().session(client, session)
}

export const sessionRow = (
  { root, agents, ...sums }: SessionSums,
  live: string | undefined,
  trail: TrailReader,
): SessionRow => ({
  ...sums,
  agents: agents.size,
  project: live ?? root,
  isLive: live !== undefined && !isEnd(trail, sums.last),
})
