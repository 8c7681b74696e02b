import type { Gate } from '../core/index.ts'
import { sharesState, type Whose } from '../explain/index.ts'
import type { AuditRecord, TrailReader } from '../store/index.ts'
import type { Found } from '../trail/index.ts'
import type { DecisionRow } from './api.ts'
import type { Archive } from './archive.ts'
import type { Past } from './desk.ts'
import { rangesOf } from './lookup-keys.ts'
import { rowOf } from './row.ts'
import { scanBack, type Wanted } from './scan.ts'

const SEARCH_MS = 250
const NO_MOVE = '"moves":[]'

/** The last move of each gate before a record, however long ago: by index, and not the whole session. */
export function pastOf(archive: Archive, trail: TrailReader, { seq, record }: Found, gates: readonly Gate[]): Past {
  const stateful = gates.filter(one => one.initial !== undefined)
  const shared = stateful.filter(one => one.scope === 'project')
  const own = stateful.filter(one => one.scope !== 'project')
  const find = lastMoves(archive, trail, seq, record)
  const [mine, all] = [find(own, { session: [record.session], client: [record.client] }), find(shared, {})]
  const found = [...mine.found, ...all.found].sort((a, b) => a.seq - b.seq)
  return { records: found.map((one): AuditRecord => one.record), isWhole: mine.isWhole && all.isWhole }
}

type Moves = { readonly found: readonly Found[]; readonly isWhole: boolean }

const lastMoves =
  (archive: Archive, trail: TrailReader, before: number, record: Whose) =>
  (
    gates: readonly Gate[],
    keys: { readonly session?: readonly string[]; readonly client?: readonly string[] },
  ): Moves => {
    if (gates.length === 0) return { found: [], isWhole: true }
    const missing = new Map(gates.map(one => [one.id, one]))
    const is = ({ record: other }: Found): boolean => {
      const settled = other.moves.filter(({ gate }) => {
        const one = missing.get(gate)
        return one !== undefined && sharesState(one, record, other)
      })
      for (const { gate } of settled) missing.delete(gate)
      return settled.length > 0
    }
    const wanted = {
      keys: rangesOf({ ...keys, gate: gates.map(one => one.id), all: true }, undefined),
      couldBe: (json: string) => missing.size > 0 && !json.includes(NO_MOVE),
      is,
    }
    const scan = scanBack(trail, archive.lookup(), wanted, { before, most: gates.length, ms: SEARCH_MS })
    return { found: scan.found, isWhole: missing.size === 0 || scan.before === null }
  }

const MOST_OTHERS = 500

/** What other sessions did to the gates of the project between two records, oldest first. */
export function movedMeanwhile(
  archive: Archive,
  trail: TrailReader,
  { client, session, root }: AuditRecord,
  span: { readonly after: number; readonly before: number },
  gates: readonly Gate[],
): readonly DecisionRow[] {
  const ids = gates.flatMap(one => (one.scope === 'project' && one.initial !== undefined ? [one.id] : []))
  if (ids.length === 0 || root === undefined) return []
  const wanted: Wanted = {
    keys: rangesOf({ gate: ids, all: true }, undefined),
    couldBe: json => !json.includes(NO_MOVE),
    is: ({ record }) =>
      record.root === root &&
      (record.client !== client || record.session !== session) &&
      record.moves.some(one => ids.includes(one.gate)),
  }
  const scan = scanBack(trail, archive.lookup(), wanted, { ...span, most: MOST_OTHERS, ms: SEARCH_MS })
  return scan.found.map(rowOf).reverse()
}
