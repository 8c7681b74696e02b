import type { Gate } from '../core/index.ts'
import { type GateRow, summaryOf } from '../stats/index.ts'
import { type LiveSession, rootOnRecord } from '../store/index.ts'
import type { GateCard, GateList, GateNumbers } from './api.ts'
import type { Archive } from './archive.ts'
import type { Desk } from './desk.ts'
import { liveStates } from './live-states.ts'
import { gatesOf, periodIn, withWeek } from './overview.ts'
import type { Query } from './query.ts'
import { keyOf } from './session-sums.ts'
import { endedIn } from './stuck-sessions.ts'

const COUNT_MS = 30

/** The gates of a project, and those that spoke though they are not in its policy (any more). */
export function gateList(archive: Archive, desk: Desk, root: string, query: Query): GateList {
  const { gates, problem } = gatesOf(desk, root)
  const { numbers } = numbersOf(archive, gates, root, query)
  const alive = aliveIn(archive, root)
  const cards = numbers.map(row =>
    cardOf(
      row,
      gates.find(one => one.id === row.gate),
      alive,
    ),
  )
  return { project: root, gates: cards, ...(problem !== undefined && { problem }) }
}

/** Where sessions cannot be read, none is known to go on. */
export const aliveIn = (archive: Archive, root: string): Alive =>
  archive.attempt<Alive>(
    () => ({
      live: goingOn(
        archive,
        archive.live().filter(one => one.root === root),
      ),
      shared: archive.sessions(reader => reader.shared(root)) ?? {},
    }),
    () => ({ live: [], shared: {} }),
  )

/** One that has ended is nowhere now. */
function goingOn(archive: Archive, live: readonly LiveSession[]): readonly LiveSession[] {
  const ended = archive.read(trail => endedIn(archive, trail, live))
  return ended ? live.filter(one => !ended.has(keyOf(one))) : live
}

/** All of them, the built-in ones too. What is in the policy is told also where nothing was, or can be, counted. */
export function numbersOf(archive: Archive, policy: readonly Gate[], root: string, query: Query) {
  const period = periodIn(query)
  const project = rootOnRecord(root)
  const told = (trail: Parameters<Archive['book']>[0]) =>
    archive.book(trail, COUNT_MS, book => {
      const summary = summaryOf(book, { ...period, by: 'rule', policy, all: true, project })
      return { numbers: withWeek(book, summary.gates, project), rules: summary.rules, period }
    })
  return archive.attempt(
    () => archive.read(told) ?? told(undefined),
    () => told(undefined),
  )
}

export interface Alive {
  readonly live: readonly LiveSession[]
  readonly shared: LiveSession['gates']
}

export function cardOf(numbers: GateNumbers, gate: Gate | undefined, alive: Alive): GateCard {
  const { gate: id, name } = numbers
  const layer = gate?.layer ?? layerIn(id)
  const states = gate ? liveStates(gate, alive).map(({ state }) => state) : []
  const count = (state: string) => states.filter(one => one === state).length
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

const layerIn = (id: GateRow['gate']): GateCard['layer'] => LAYERS.find(one => id.startsWith(`${one}/`)) ?? 'project'
