import type { TrailReader } from '../store/index.ts'
import { type Found, foundIn } from '../trail/index.ts'
import type { DecisionDetail } from './api.ts'
import type { Archive } from './archive.ts'
import type { Desk, Past, Recorded } from './desk.ts'
import { nameOf } from './lanes.ts'
import { gatesOf } from './overview.ts'
import { pastOf } from './past.ts'
import { notFound } from './refusal.ts'
import { rowOf } from './row.ts'
import { scanBack } from './scan.ts'
import { oneSession } from './sessions.ts'
import { wantedOf } from './timeline.ts'

const SEARCH_MS = 500
const NEAR = 2000

/** One decision and why: as `signalbox explain N` tells it. */
export function decision(archive: Archive, desk: Desk, n: number): DecisionDetail {
  const {
    found,
    who,
    root = desk.folder,
    earlier,
    later,
  } = look(archive, trail => {
    const one = foundAt(trail, n)
    const { client, session } = one.record
    const known = archive.rootOf()(client, session) ?? one.record.root
    const sums = oneSession(archive, trail, one.record)
    return {
      found: one,
      who: nameOf(one.record, sums?.agents),
      root: known ?? sums?.root ?? undefined,
      earlier: earlierOf(archive, trail, one),
      later: laterOf(trail, one),
    }
  })
  const before = pastIn(archive, desk, found, root)
  return {
    ...{ row: rowOf(found), who, hash: found.hash, record: found.record, ...desk.explain(found, before, root) },
    ...{ earlier, later },
  }
}

/** For the playground. */
export function recordedAt(archive: Archive, desk: Desk, n: number): Recorded & { readonly root: string | undefined } {
  const { found, root } = look(archive, trail => {
    const one = foundAt(trail, n)
    return { found: one, root: archive.rootOf()(one.record.client, one.record.session) ?? one.record.root }
  })
  return { found, root, before: pastIn(archive, desk, found, root ?? desk.folder) }
}

function look<T>(archive: Archive, work: (trail: TrailReader) => T): T {
  const told = archive.read(work)
  if (told === undefined) throw notFound('nothing is on record yet')
  return told
}

/** What moved the gates of its project. A policy that cannot be read has none. */
function pastIn(archive: Archive, desk: Desk, found: Found, root: string): Past {
  const { gates } = gatesOf(desk, root)
  return look(archive, trail => pastOf(archive, trail, found, gates))
}

function foundAt(trail: TrailReader, n: number): Found {
  const [raw] = trail.after(n - 1, 1)
  const found = raw?.seq === n ? foundIn(raw) : undefined
  if (raw?.seq !== n) throw notFound(`there is no record ${n}`)
  if (!found) throw notFound(`record ${n} cannot be read; \`signalbox audit verify\` tells why`)
  return found
}

function earlierOf(archive: Archive, trail: TrailReader, { seq, record }: Found): number | null {
  const how = { before: seq, most: 1, ms: SEARCH_MS }
  return scanBack(trail, archive.lookup(), wantedOf(record), how).found[0]?.seq ?? null
}

/** The next of the same session, where it comes soon. */
function laterOf(trail: TrailReader, { seq, record }: Found): number | null {
  const { couldBe, is } = wantedOf(record)
  for (const raw of trail.after(seq, NEAR)) {
    const found = couldBe(raw.json) ? foundIn(raw) : undefined
    if (found && is(found)) return found.seq
  }
  return null
}
