import { isSameGateState, type StateOwner } from '../../../analysis/simulator/index.ts'
import type { ParsedRecord } from '../../../audit/index.ts'
import type { Gate } from '../../../engine/index.ts'
import type { AuditLogReader, AuditRecord } from '../../../store/index.ts'
import type { DecisionRow } from '../api.ts'
import type { DashboardRecords } from '../archive.ts'
import type { EarlierGateMoves } from '../backend.ts'
import { decisionRowOf } from './decision-row.ts'
import { lookupRangesOf } from './lookup-keys.ts'
import { type RecordMatcher, scanBackwards } from './scan.ts'

const SEARCH_MS = 250
const NO_MOVE = '"moves":[]'

/** The last move of each gate before a record, however long ago. Uses the lookup instead of reading the whole session. */
export function gatePastOf(
  archive: DashboardRecords,
  auditLog: AuditLogReader,
  { seq, record }: ParsedRecord,
  gates: readonly Gate[],
): EarlierGateMoves {
  const stateful = gates.filter(gate => gate.initial !== undefined)
  const shared = stateful.filter(gate => gate.scope === 'project')
  const own = stateful.filter(gate => gate.scope !== 'project')
  const find = createLastMoveSearch(archive, auditLog, seq, record)
  const [mine, all] = [find(own, { session: [record.session], client: [record.client] }), find(shared, {})]
  const found = [...mine.found, ...all.found].sort((a, b) => a.seq - b.seq)
  return {
    records: found.map((parsedRecord): AuditRecord => parsedRecord.record),
    isWhole: mine.isWhole && all.isWhole,
  }
}

type FoundMoves = { readonly found: readonly ParsedRecord[]; readonly isWhole: boolean }

const createLastMoveSearch =
  (archive: DashboardRecords, auditLog: AuditLogReader, before: number, record: StateOwner) =>
  (
    gates: readonly Gate[],
    keys: { readonly session?: readonly string[]; readonly client?: readonly string[] },
  ): FoundMoves => {
    if (gates.length === 0) return { found: [], isWhole: true }
    const missing = new Map(gates.map(gate => [gate.id, gate]))
    const is = ({ record: other }: ParsedRecord): boolean => {
      const settled = other.moves.filter(({ gate }) => {
        const one = missing.get(gate)
        return one !== undefined && isSameGateState(one, record, other)
      })
      for (const { gate } of settled) missing.delete(gate)
      return settled.length > 0
    }
    const wanted = {
      keys: lookupRangesOf({ ...keys, gate: gates.map(gate => gate.id), all: true }, undefined),
      couldBe: (json: string) => missing.size > 0 && !json.includes(NO_MOVE),
      is,
    }
    const scan = scanBackwards(auditLog, archive.lookup(), wanted, { before, most: gates.length, ms: SEARCH_MS })
    return { found: scan.found, isWhole: missing.size === 0 || scan.before === null }
  }

const MAX_OTHERS = 500

/** Moves of project gates by other sessions between two records, oldest first. */
export function movesOfOtherSessions(
  archive: DashboardRecords,
  auditLog: AuditLogReader,
  { client, session, root }: AuditRecord,
  span: { readonly after: number; readonly before: number },
  gates: readonly Gate[],
): readonly DecisionRow[] {
  const ids = gates.flatMap(gate => (gate.scope === 'project' && gate.initial !== undefined ? [gate.id] : []))
  if (ids.length === 0 || root === undefined) return []
  const wanted: RecordMatcher = {
    keys: lookupRangesOf({ gate: ids, all: true }, undefined),
    couldBe: json => !json.includes(NO_MOVE),
    is: ({ record }) =>
      record.root === root &&
      (record.client !== client || record.session !== session) &&
      record.moves.some(move => ids.includes(move.gate)),
  }
  const scan = scanBackwards(auditLog, archive.lookup(), wanted, { ...span, most: MAX_OTHERS, ms: SEARCH_MS })
  return scan.found.map(decisionRowOf).reverse()
}
