import type { TokenUsage } from '../../clients/index.ts'
import type { Event, GateVariables, Session } from '../../engine/index.ts'
import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { redact } from '../../store/index.ts'

/** What the routing state keeps in the session besides the gate's own variables. Times in ms since 1970. */
export interface RoutingNotes {
  readonly [key: string]: Json
  readonly startedAt: number | null
  readonly completedAt: number | null
  readonly durationMs: number | null
  readonly tokens: JsonObject | null
  readonly model: string | null
  /** the user's latest prompt, shortened */
  readonly request: string
  readonly history: JsonObject[]
  readonly version: number
  readonly compactedAt: number
}

/** One event, and what it did to the gate. */
export interface RoutingStep {
  readonly event: Event
  /** its caller is the router, or it spawns a router */
  readonly ofRouter: boolean
  /** the state that the event moved the gate to */
  readonly movedTo?: 'open' | 'closed' | undefined
  readonly decision?: Json | undefined
  readonly now: number
  readonly spent?: TokenUsage | undefined
}

const LONGEST_REQUEST = 200
const LONGEST_HISTORY = 20

/** The notes after one more payload. Requests are read first, because a payload may contain the request after the decision. */
export const noteRouting = (notes: RoutingNotes, steps: readonly RoutingStep[]): RoutingNotes => {
  const request = steps.reduce((before, step) => requestOf(step, before), notes.request)
  return steps.reduce(noteStep, { ...notes, request, version: notes.version + 1 })
}

function noteStep(notes: RoutingNotes, step: RoutingStep): RoutingNotes {
  const { event, now, spent } = step
  const metrics = step.ofRouter && spent ? { tokens: tokensOf(spent), model: spent.model ?? notes.model } : {}
  if (step.movedTo === 'open') return { ...completed(notes, step), ...metrics }
  if (step.movedTo === 'closed') return { ...notes, startedAt: null, completedAt: null }
  const starts = step.ofRouter && BEGINS.has(event.kind) && !isRunning(notes)
  return { ...notes, ...metrics, startedAt: starts ? now : notes.startedAt }
}

const BEGINS: ReadonlySet<string> = new Set(['tool.before', 'agent.start'])

/** The router has started since it last completed. */
const isRunning = ({ startedAt, completedAt }: RoutingNotes): boolean =>
  startedAt !== null && (completedAt === null || startedAt > completedAt)

function completed(notes: RoutingNotes, { decision, now }: RoutingStep): RoutingNotes {
  const startedAt = (isRunning(notes) ? notes.startedAt : null) ?? now
  const entry = {
    timestamp: timeOf(now),
    decision: decisionOf(decision),
    request_summary: notes.request,
  }
  const history = [...notes.history, entry]
  return {
    ...notes,
    startedAt,
    completedAt: now,
    durationMs: now - startedAt,
    history: history.slice(-LONGEST_HISTORY),
    compactedAt: history.length > LONGEST_HISTORY ? now : notes.compactedAt,
  }
}

const tokensOf = ({ input, output }: TokenUsage): JsonObject => ({ input, output })

/** The user's prompt; if no prompt was seen, the prompt that the router was spawned with. */
function requestOf({ event: { prompt, call }, ofRouter }: RoutingStep, before: string): string {
  const spawned = before === '' && ofRouter ? call?.input.prompt : undefined
  const request = prompt?.source === 'user' ? prompt.text : spawned
  if (typeof request !== 'string') return before
  return redact(request.slice(0, 2000).replace(/\s+/g, ' ').trim()).slice(0, LONGEST_REQUEST)
}

/** Damaged fields get their defaults: no decision depends on the notes. */
export function readRoutingNotes(stored: Json | undefined, { startedAt }: Session): RoutingNotes {
  const time = (value: unknown): number | null => (typeof value === 'number' && value > 0 ? value : null)
  const from = isObject(stored) ? stored : {}
  return {
    startedAt: time(from.startedAt),
    completedAt: time(from.completedAt),
    durationMs: typeof from.durationMs === 'number' ? from.durationMs : null,
    tokens: isObject(from.tokens) ? from.tokens : null,
    model: typeof from.model === 'string' ? from.model : null,
    request: typeof from.request === 'string' ? from.request : '',
    history: Array.isArray(from.history) ? from.history.filter(isObject) : [],
    version: time(from.version) ?? 0,
    compactedAt: time(from.compactedAt) ?? startedAt,
  }
}

interface Mirrored {
  readonly notes: RoutingNotes
  readonly memory: GateVariables | undefined
  readonly decision: Json | undefined
  readonly session: Session
  readonly sessionId: string
  readonly expiryHours: number
}

/** Removes the gates that are left out, except one fail-closed gate: its evaluation fails and denies the call. */
export function routingStateFile({ notes, memory, decision, session, sessionId, expiryHours }: Mirrored): JsonObject {
  const done = memory?.state === 'open'
  return {
    session_id: sessionId,
    created_at: timeOf(session.startedAt),
    updated_at: timeOf(session.seenAt),
    expires_at: timeOf(session.seenAt + expiryHours * 3_600_000),
    routing: {
      completed: done,
      started_at: notes.startedAt === null ? null : timeOf(notes.startedAt),
      completed_at: done && notes.completedAt !== null ? timeOf(notes.completedAt) : null,
      decision: done && decision !== undefined ? decisionOf(decision) : null,
    },
    routing_history: notes.history,
    metrics: { routing_duration_ms: notes.durationMs, tokens_used: notes.tokens, model: notes.model },
    version: notes.version,
    last_compact_ms: notes.compactedAt,
  }
}

const timeOf = (at: number): string => new Date(at).toISOString()

const LONGEST_REASONING = 1000

/** All nine fields of the schema and no others. Missing fields get empty values. */
function decisionOf(decision: Json | undefined): JsonObject | null {
  if (!isObject(decision)) return null
  const { reasoning, keywords_detected: keywords } = decision
  return {
    intent: decision.intent ?? '',
    complexity: decision.complexity ?? 'low',
    cloud_provider: decision.cloud_provider ?? null,
    workflow_selection: decision.workflow_selection ?? '',
    confidence: decision.confidence ?? 0,
    reasoning: typeof reasoning === 'string' ? reasoning.slice(0, LONGEST_REASONING) : '',
    keywords_detected: Array.isArray(keywords) ? keywords.slice(0, 50) : [],
    should_escalate: decision.should_escalate ?? false,
    escalation_target: decision.escalation_target ?? null,
  }
}
