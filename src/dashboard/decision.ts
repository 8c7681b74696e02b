import type { AuditRecord, TrailReader } from '../store/index.ts'
import { type Found, foundIn } from '../trail/index.ts'
import type { DecisionDetail } from './api.ts'
import type { Archive } from './archive.ts'
import type { Desk, Recorded } from './desk.ts'
import { notFound } from './refusal.ts'
import { rowOf } from './row.ts'
import { scanBack } from './scan.ts'
import { oneSession } from './sessions.ts'
import { wantedOf } from './timeline.ts'

/** Of its session, for the states its gates were in. */
const MOST_BEFORE = 5000
const SEARCH_MS = 500
const NEAR = 2000

/** One decision and why: as `signalbox explain N` tells it. */
export function decision(archive: Archive, desk: Desk, n: number): DecisionDetail {
  const told = archive.read(trail => {
    const { found, before } = recorded(archive, trail, n)
    const root = archive.rootOf()(found.record.client, found.record.session)
    const known = root ?? found.record.root ?? oneSession(archive, trail, found.record)?.root
    return { found, before, root: known, later: laterOf(trail, found) }
  })
  if (!told) throw notFound('nothing is on record yet')
  const { found, before, root, later } = told
  const explained = desk.explain(
    found,
    before.map(one => one.record),
    root ?? desk.folder,
  )
  return {
    ...{ row: rowOf(found), hash: found.hash, record: found.record, ...explained },
    earlier: before.at(-1)?.seq ?? null,
    later,
  }
}

/** For the playground. */
export function recordedAt(archive: Archive, n: number): Recorded & { readonly root: string | undefined } {
  const told = archive.read(trail => {
    const { found, before } = recorded(archive, trail, n)
    const root = archive.rootOf()(found.record.client, found.record.session) ?? found.record.root
    return { found, before: before.map((one): AuditRecord => one.record), root }
  })
  if (!told) throw notFound('nothing is on record yet')
  return told
}

/** With those of the same session before it, oldest first. */
function recorded(archive: Archive, trail: TrailReader, n: number) {
  const [raw] = trail.after(n - 1, 1)
  const found = raw?.seq === n ? foundIn(raw) : undefined
  if (raw?.seq !== n) throw notFound(`there is no record ${n}`)
  if (!found) throw notFound(`record ${n} cannot be read; \`signalbox audit verify\` tells why`)
  const scan = scanBack(trail, archive.lookup(), wantedOf(found.record), {
    before: n,
    most: MOST_BEFORE,
    ms: SEARCH_MS,
  })
  return { found, before: [...scan.found].reverse() }
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
