import type { Client, TokenUsage } from '../../clients/index.ts'
import {
  agentName,
  type Condition,
  type EvaluationResult,
  type Event,
  type Gate,
  type GateVariables,
  matchFields,
  type Regex,
  type Session,
} from '../../engine/index.ts'
import { messageOf } from '../../lib/errors.ts'
import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import type { GateExport, Policy } from '../../policy/index.ts'
import type { LoggedFault } from './error-log.ts'
import { writeProjectFile } from './project-file.ts'
import { noteRouting, type RoutingNotes, readRoutingNotes, routingStateFile } from './routing-state.ts'

/** An event and its evaluation. */
export interface EvaluatedEvent {
  readonly event: Event
  readonly result: EvaluationResult
}

/** One evaluated payload, and the policy it was evaluated with. */
export interface ExportContext {
  readonly client: Client
  readonly exports: readonly GateExport[]
  readonly program: Policy
  readonly judged: readonly EvaluatedEvent[]
  readonly session: Session
  readonly root: string
  readonly now: number
  readonly env: Readonly<Record<string, string | undefined>>
  readonly regex: Regex
  readonly spent?: TokenUsage | undefined
}

/** With several gates, the first of these statuses that a gate has counts: that gate blocks the agent. */
const STATUSES = ['pending', 'in_progress', 'completed', 'bypassed'] as const
type Status = (typeof STATUSES)[number]

/** The status of the exported gates, for protocols that report it with every reply. */
export function gateStatusOf(exportContext: ExportContext): Status | undefined {
  const gates = exportContext.exports.flatMap(gateExport => gateOf(gateExport, exportContext) ?? [])
  const found = gates.map(gate => statusIn(gate, exportContext))
  return STATUSES.find(status => found.includes(status))
}

function statusIn(gate: Gate, exportContext: ExportContext): Status {
  if (isBypassed(gate, exportContext)) return 'bypassed'
  if (exportContext.judged.some(event => isCaller(agentsOf(gate), event))) return 'in_progress'
  return memoryOf(gate, exportContext.session)?.state === 'open' ? 'completed' : 'pending'
}

/** Whether only exported gates denied the call. */
export const isDeniedOnlyByExportedGates = ({ exports, judged }: ExportContext): boolean => {
  const denying = judged.flatMap(({ result }) => result.record.matches).filter(match => match.effect === 'deny')
  return denying.length > 0 && denying.every(match => exports.some(gateExport => gateExport.gate === match.gate))
}

/** The session with the exports' notes on this event, saved in the same transaction. No decision depends on them. */
export function withExportNotes(exportContext: ExportContext): Session {
  try {
    return noted(exportContext)
  } catch {
    return exportContext.session
  }
}

function noted(exportContext: ExportContext): Session {
  const { exports, session } = exportContext
  const notes = exports.flatMap(gateExport => {
    const gate = gateOf(gateExport, exportContext)
    return gate
      ? [[keyOf(gateExport), notesOn(gate, session.exported?.[keyOf(gateExport)], exportContext)] as const]
      : []
  })
  return { ...session, exported: { ...session.exported, ...Object.fromEntries(notes) } }
}

/** After the commit: writes the files. A failed write is returned as a fault and changes nothing else. */
export function writeExports(exportContext: ExportContext): readonly LoggedFault[] {
  return exportContext.exports.flatMap(gateExport => {
    const { state } = gateExport
    const gate = gateOf(gateExport, exportContext)
    if (!gate || state === undefined || !gateExport.on.includes(exportContext.client.id)) return []
    try {
      const mirrored = mirror(gateExport, gate, exportContext)
      writeProjectFile(exportContext.root, state, `${JSON.stringify(mirrored, null, 2)}\n`, found =>
        isOlder(mirrored, found),
      )
      return []
    } catch (error) {
      return [{ type: 'STATE_WRITE_ERROR', message: messageOf(error), recovery: 'continue' } as const]
    }
  })
}

const keyOf = ({ feature, gate }: GateExport): string => `${feature} ${gate}`

const gateOf = ({ gate }: GateExport, { program }: ExportContext): Gate | undefined =>
  program.gates.find(candidate => candidate.id === gate && candidate.scope !== 'agent')

const memoryOf = ({ id, scope }: Gate, session: Session): GateVariables | undefined =>
  (scope === 'project' ? session.shared : session.gates)[id]

/** The agents a gate waits for: the agents in its opening transitions. */
const agentsOf = ({ transitions }: Gate): readonly string[] =>
  transitions.filter(transition => transition.to === 'open').flatMap(transition => agentsIn(transition.when))

function agentsIn(condition: Condition): readonly string[] {
  if ('all' in condition) return condition.all.flatMap(agentsIn)
  if ('any' in condition) return condition.any.flatMap(agentsIn)
  return 'key' in condition && condition.key === 'agent' ? condition.in.map(agentName) : []
}

const isCaller = (agents: readonly string[], { result }: EvaluatedEvent): boolean =>
  agents.includes(agentName(result.record.caller))

function isBypassed(gate: Gate, { judged, env, regex }: ExportContext): boolean {
  const matches = judged.flatMap(({ result }) => result.record.matches)
  if (matches.some(match => match.gate === gate.id && match.bypassed)) return true
  const when = gate.yields ? gate.bypass?.when : undefined
  if (!when || !('key' in when) || when.key !== 'env') return false
  return matchFields(when.fields, name => env[name], { regex, fill: value => value }) === 'true'
}

function notesOn(gate: Gate, stored: Json | undefined, { judged, session, now, spent }: ExportContext): RoutingNotes {
  const agents = agentsOf(gate)
  const steps = judged.map(evaluatedEvent => {
    const { event, result } = evaluatedEvent
    const spawns = event.call?.acts.some(
      action => action.action === 'spawn' && agents.includes(agentName(action.agent ?? '')),
    )
    const passed = result.outcome.decision !== 'deny'
    return {
      event,
      ofRouter: passed && (spawns === true || isCaller(agents, evaluatedEvent)),
      movedTo: result.record.moves.findLast(move => move.gate === gate.id)?.to,
      decision: captureOf(gate, result.session),
      now,
      spent,
    }
  })
  return noteRouting(readRoutingNotes(stored, session), steps)
}

function captureOf(gate: Gate, session: Session): Json | undefined {
  const name = gate.transitions.find(transition => transition.capture)?.capture?.name
  return name === undefined ? undefined : memoryOf(gate, session)?.captured?.[name]
}

function mirror(gateExport: GateExport, gate: Gate, { session, judged, program }: ExportContext): JsonObject {
  const stored = session.exported?.[keyOf(gateExport)]
  return routingStateFile({
    notes: readRoutingNotes(isObject(stored) ? stored : undefined, session),
    memory: memoryOf(gate, session),
    decision: captureOf(gate, session),
    session,
    sessionId: judged[0]?.event.session || `sess_${session.startedAt}`,
    expiryHours: program.settings.expiryHours,
  })
}

/** If two hooks run at once, the later event may be written first. */
function isOlder(state: JsonObject, found: string): boolean {
  try {
    const there: unknown = JSON.parse(found)
    if (!isObject(there) || there.session_id !== state.session_id || there.created_at !== state.created_at) return false
    return typeof there.version === 'number' && Number(state.version) < there.version
  } catch {
    return false
  }
}
