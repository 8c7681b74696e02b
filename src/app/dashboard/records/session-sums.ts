import type { ParsedRecord } from '../../../audit/index.ts'
import { isAgentRecord, type SqlRow } from '../../../store/index.ts'
import type { SessionRow } from '../api.ts'

/** Sums over the records of a session, independent of their order. */
export interface SessionSums extends Omit<SessionRow, 'isLive' | 'project' | 'agents'> {
  readonly root: string | null
  /** subagents by id */
  readonly agents: ReadonlyMap<string, Subagent>
}

export interface Subagent {
  readonly caller: string
  /** the number of its first record */
  readonly first: number
}

export const sessionKeyOf = ({ client, session }: { readonly client: string; readonly session: string }): string =>
  `${client}\n${session}`

/** Adds a record to its session. Records of the store itself and of canaries belong to no session. */
export function addToSession(
  sessions: Map<string, SessionSums>,
  { seq, record }: ParsedRecord,
  root: string | undefined,
): void {
  if (!isAgentRecord(record)) return
  const { client, session, caller, agent, at, event, decision } = record
  const isCall = event === 'tool.before'
  const own: SessionSums = {
    ...{ client, session, root: root ?? null, first: seq, last: seq, firstAt: at, lastAt: at, events: 1 },
    calls: isCall ? 1 : 0,
    denied: decision === 'deny' ? 1 : 0,
    asked: decision === 'ask' ? 1 : 0,
    agents: new Map(agent === undefined ? [] : [[agent, { caller, first: seq }]]),
  }
  const before = sessions.get(sessionKeyOf(own))
  sessions.set(sessionKeyOf(own), before ? mergeSessionSums(before, own) : own)
}

export const mergeSessionSums = (one: SessionSums, other: SessionSums): SessionSums => ({
  ...{ client: one.client, session: one.session, root: one.root ?? other.root },
  first: Math.min(one.first, other.first),
  last: Math.max(one.last, other.last),
  firstAt: Math.min(one.firstAt, other.firstAt),
  lastAt: Math.max(one.lastAt, other.lastAt),
  events: one.events + other.events,
  calls: one.calls + other.calls,
  denied: one.denied + other.denied,
  asked: one.asked + other.asked,
  agents: mergeSubagents(one.agents, other.agents),
})

type Subagents = SessionSums['agents']

function mergeSubagents(one: Subagents, other: Subagents): Subagents {
  if (other.size === 0) return one
  const all = new Map(one)
  for (const [id, agent] of other) {
    const known = all.get(id)
    if (!known || agent.first < known.first) all.set(id, agent)
  }
  return all
}

export const sessionSumsOfRow = (row: SqlRow, agents: readonly SqlRow[]): SessionSums => ({
  ...{ client: String(row.client), session: String(row.id), root: row.root === null ? null : String(row.root) },
  ...{ first: Number(row.first), last: Number(row.last), firstAt: Number(row.first_at), lastAt: Number(row.last_at) },
  ...{ events: Number(row.events), calls: Number(row.calls), denied: Number(row.denied), asked: Number(row.asked) },
  agents: new Map(
    agents.map(agent => [String(agent.id), { caller: String(agent.caller), first: Number(agent.first) }]),
  ),
})
