import type { Client, Spent } from '../clients/index.ts'
import {
  agentName,
  type Event,
  type Gate,
  type GateMemory,
  messageOf,
  type Result,
  type Session,
} from '../core/index.ts'
import { type Condition, isObject, type Json, type JsonObject, matchFields, type Regex } from '../pattern/index.ts'
import type { Export, Policy } from '../policy/index.ts'
import type { Fault } from './error-log.ts'
import { writeProjectFile } from './project-file.ts'
import { mirrorOf, noteRouting, type RoutingNotes, readNotes } from './routing-state.ts'

/** An event and what came of it. */
export interface Judged {
  readonly event: Event
  readonly result: Result
}

/** One payload as it was judged, and the policy that did it. */
export interface Telling {
  readonly client: Client
  readonly exports: readonly Export[]
  readonly program: Policy
  readonly judged: readonly Judged[]
  readonly session: Session
  readonly root: string
  readonly now: number
  readonly env: Readonly<Record<string, string | undefined>>
  readonly regex: Regex
  readonly spent?: Spent | undefined
}

/** Of several gates the first of these that one of them is in: it is what holds the agent up. */
const STATUSES = ['pending', 'in_progress', 'completed', 'bypassed'] as const
type Status = (typeof STATUSES)[number]

/** How far the gate that is told of has come, for protocols that say it with every answer. */
export function statusOf(telling: Telling): Status | undefined {
  const gates = telling.exports.flatMap(one => gateOf(one, telling) ?? [])
  const found = gates.map(gate => statusIn(gate, telling))
  return STATUSES.find(status => found.includes(status))
}

function statusIn(gate: Gate, telling: Telling): Status {
  if (isBypassed(gate, telling)) return 'bypassed'
  if (telling.judged.some(one => isCaller(agentsOf(gate), one))) return 'in_progress'
  return memoryOf(gate, telling.session)?.state === 'open' ? 'completed' : 'pending'
}

/** Is the refusal this gate's alone? */
export const isRefusedByStatus = ({ exports, judged }: Telling): boolean => {
  const denying = judged.flatMap(({ result }) => result.record.matches).filter(match => match.effect === 'deny')
  return denying.length > 0 && denying.every(match => exports.some(one => one.gate === match.gate))
}

/** The session with what exports remember of this event: saved in the same step. Nothing is decided by it. */
export function withNotes(telling: Telling): Session {
  try {
    return noted(telling)
  } catch {
    return telling.session
  }
}

function noted(telling: Telling): Session {
  const { exports, session } = telling
  if (exports.length === 0) return session
  const notes = exports.flatMap(one => {
    const gate = gateOf(one, telling)
    return gate ? [[keyOf(one), notesOn(gate, session.exported?.[keyOf(one)], telling)] as const] : []
  })
  return { ...session, exported: { ...session.exported, ...Object.fromEntries(notes) } }
}

/** After the commit: the files. What cannot be written is told, and changes nothing. */
export function writeExports(telling: Telling): readonly Fault[] {
  return telling.exports.flatMap(one => {
    const { state } = one
    const gate = gateOf(one, telling)
    if (!gate || state === undefined || !one.on.includes(telling.client.id)) return []
    try {
      const told = mirror(one, gate, telling)
      writeProjectFile(telling.root, state, `${JSON.stringify(told, null, 2)}\n`, found => isOlder(told, found))
      return []
    } catch (error) {
      return [{ type: 'STATE_WRITE_ERROR', message: messageOf(error), recovery: 'continue' } as const]
    }
  })
}

const keyOf = ({ feature, gate }: Export): string => `${feature} ${gate}`

const gateOf = ({ gate }: Export, { program }: Telling): Gate | undefined =>
  program.gates.find(one => one.id === gate && one.scope !== 'agent')

const memoryOf = ({ id, scope }: Gate, session: Session): GateMemory | undefined =>
  (scope === 'project' ? session.shared : session.gates)[id]

/** The agents a gate waits for: those its opening transitions name. */
const agentsOf = ({ transitions }: Gate): readonly string[] =>
  transitions.filter(one => one.to === 'open').flatMap(one => agentsIn(one.when))

function agentsIn(condition: Condition): readonly string[] {
  if ('all' in condition) return condition.all.flatMap(agentsIn)
  if ('any' in condition) return condition.any.flatMap(agentsIn)
  return 'key' in condition && condition.key === 'agent' ? condition.in.map(agentName) : []
}

const isCaller = (agents: readonly string[], { result }: Judged): boolean =>
  agents.includes(agentName(result.record.caller))

function isBypassed(gate: Gate, { judged, env, regex }: Telling): boolean {
  const matches = judged.flatMap(({ result }) => result.record.matches)
  if (matches.some(match => match.gate === gate.id && match.bypassed)) return true
  const when = gate.yields ? gate.bypass?.when : undefined
  if (!when || !('key' in when) || when.key !== 'env') return false
  return matchFields(when.fields, name => env[name], { regex, fill: value => value }) === 'true'
}

function notesOn(gate: Gate, kept: Json | undefined, { judged, session, now, spent }: Telling): RoutingNotes {
  const agents = agentsOf(gate)
  const steps = judged.map(one => {
    const { event, result } = one
    const spawns = event.call?.acts.some(act => act.action === 'spawn' && agents.includes(agentName(act.agent ?? '')))
    const passed = result.outcome.decision !== 'deny'
    return {
      event,
      ofRouter: passed && (spawns === true || isCaller(agents, one)),
      movedTo: result.record.moves.findLast(move => move.gate === gate.id)?.to,
      decision: captureOf(gate, result.session),
      now,
      spent,
    }
  })
  return noteRouting(readNotes(kept, session), steps)
}

function captureOf(gate: Gate, session: Session): Json | undefined {
  const name = gate.transitions.find(one => one.capture)?.capture?.name
  return name === undefined ? undefined : memoryOf(gate, session)?.captured?.[name]
}

function mirror(one: Export, gate: Gate, { session, judged, program }: Telling): JsonObject {
  const kept = session.exported?.[keyOf(one)]
  return mirrorOf({
    notes: readNotes(isObject(kept) ? kept : undefined, session),
    memory: memoryOf(gate, session),
    decision: captureOf(gate, session),
    session,
    sessionId: judged[0]?.event.session || `sess_${session.startedAt}`,
    expiryHours: program.settings.expiryHours,
  })
}

/** Of two hooks at once the later one may be the first to get here. */
function isOlder(told: JsonObject, found: string): boolean {
  try {
    const there: unknown = JSON.parse(found)
    if (!isObject(there) || there.session_id !== told.session_id || there.created_at !== told.created_at) return false
    return typeof there.version === 'number' && Number(told.version) < there.version
  } catch {
    return false
  }
}
