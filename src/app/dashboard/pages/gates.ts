import { type GateRow, summarizeStats } from '../../../audit/stats/index.ts'
import type { Gate } from '../../../engine/index.ts'
import { type LiveSession, redactRoot } from '../../../store/index.ts'
import type { GateCard, GateList, GateStatistics } from '../api.ts'
import type { DashboardRecords } from '../archive.ts'
import type { DashboardBackend } from '../backend.ts'
import { type LiveSessions, liveGateStates } from '../records/live-gate-states.ts'
import { sessionKeyOf } from '../records/session-sums.ts'
import { endedSessionsOf } from '../records/stuck-sessions.ts'
import type { QueryParameters } from '../server/query.ts'
import { parsePeriodQuery, policyGatesOf, withWeekCounts } from './overview.ts'

const COUNT_MS = 30

/** The gates of a project, and gates in its records that are no longer in its policy. */
export function gateList(
  archive: DashboardRecords,
  backend: DashboardBackend,
  root: string,
  query: QueryParameters,
): GateList {
  const { gates, problem } = policyGatesOf(backend, root)
  const { numbers } = gateStatisticsOf(archive, gates, root, query)
  const alive = liveSessionsIn(archive, root)
  const cards = numbers.map(row =>
    gateCardOf(
      row,
      gates.find(gate => gate.id === row.gate),
      alive,
    ),
  )
  return { project: root, gates: cards, ...(problem !== undefined && { problem }) }
}

/** Empty if the sessions cannot be read. */
export const liveSessionsIn = (archive: DashboardRecords, root: string): LiveSessions =>
  archive.attempt<LiveSessions>(
    () => ({
      live: withoutEnded(
        archive,
        archive.live().filter(session => session.root === root),
      ),
      shared: archive.sessions(reader => reader.shared(root)) ?? {},
    }),
    () => ({ live: [], shared: {} }),
  )

/** Leaves out sessions that have ended. */
function withoutEnded(archive: DashboardRecords, live: readonly LiveSession[]): readonly LiveSession[] {
  const ended = archive.read(auditLog => endedSessionsOf(archive, auditLog, live))
  return ended ? live.filter(session => !ended.has(sessionKeyOf(session))) : live
}

/** Numbers of all gates, including built-in ones. Gates of the policy are listed even if nothing is, or can be, counted. */
export function gateStatisticsOf(
  archive: DashboardRecords,
  policy: readonly Gate[],
  root: string,
  query: QueryParameters,
) {
  const period = parsePeriodQuery(query)
  const project = redactRoot(root)
  const countsFrom = (auditLog: Parameters<DashboardRecords['book']>[0]) =>
    archive.book(auditLog, COUNT_MS, book => {
      const summary = summarizeStats(book, { ...period, by: 'rule', policy, all: true, project })
      return { numbers: withWeekCounts(book, summary.gates, project), rules: summary.rules, period }
    })
  return archive.attempt(
    () => archive.read(countsFrom) ?? countsFrom(undefined),
    () => countsFrom(undefined),
  )
}

export function gateCardOf(numbers: GateStatistics, gate: Gate | undefined, alive: LiveSessions): GateCard {
  const { gate: id, name } = numbers
  const layer = gate?.layer ?? layerOfGateId(id)
  const states = gate ? liveGateStates(gate, alive).map(({ state }) => state) : []
  const count = (state: string) => states.filter(gateState => gateState === state).length
  return {
    ...{ id, name, layer, mode: gate?.mode ?? null, initial: gate?.initial ?? null, numbers },
    ...(gate && { scope: gate.scope }),
    ...(gate?.about !== undefined && { about: gate.about }),
    ...(gate?.at !== undefined && { at: gate.at }),
    rules: gate?.rules.length ?? 0,
    routes: gate?.routes?.list.length ?? 0,
    live: { open: count('open'), closed: count('closed') },
  }
}

const LAYERS = ['managed', 'user', 'project', 'nested', 'built-in'] as const

const layerOfGateId = (id: GateRow['gate']): GateCard['layer'] =>
  LAYERS.find(layer => id.startsWith(`${layer}/`)) ?? 'project'
