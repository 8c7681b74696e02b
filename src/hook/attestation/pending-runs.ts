import type { Caller, Event } from '../../engine/index.ts'
import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { createMask, type SessionKey, type Store } from '../../store/index.ts'

/** A call with `signalbox run` that ended before its command. */
export interface PendingRun {
  readonly id: string
  /** its command began between `from` and `to` */
  readonly from: number
  readonly to: number
  readonly until: number
  /** the event that found its end */
  readonly usedBy?: string
  readonly event: Event
}

interface Kept {
  readonly store: Store
  readonly key: SessionKey
  readonly now: number
}

const NAME = 'pending runs'
const DAY = 86_400_000
const MOST = 8
const LONGEST_LINE = 4000
/** The time a busy machine may need to start a program in the background. */
const START_MS = 10_000

/** Keeps the call until its command has ended. A line with a secret is not kept. */
export function savePendingRun(event: Event, from: number, id: string, { store, key, now }: Kept): void {
  const { name, client, session, caller, cwd, call } = event
  const { command } = call?.input ?? {}
  if (call?.tool !== 'Bash' || typeof command !== 'string' || command.length > LONGEST_LINE) return
  if (createMask(call.input)(command) !== command) return
  const { folder } = call
  const run: JsonObject = {
    ...{ id, from, to: now + START_MS, until: now + DAY, name, client, session, command, caller: { ...caller } },
    ...(cwd !== undefined && { cwd }),
    ...(call.id !== undefined && { call: call.id }),
    ...(folder !== undefined && { folder }),
  }
  store.claim(key, NAME, claim => {
    const others = entriesIn(claim).filter(one => one.id !== id && one.usedBy === undefined && Number(one.until) >= now)
    return { until: now + DAY, runs: [...others, run].slice(-MOST) }
  })
}

export const readPendingRuns = ({ store, key, now }: Kept): readonly PendingRun[] =>
  entriesIn(store.claim(key, NAME)).flatMap(one => pendingOf(one, now))

/** Assigns runs to the event that found their ends. The first event gets a run; later events do not. */
export function takePendingRuns(
  found: readonly { readonly id: string }[],
  by: string,
  { store, key }: Kept,
): readonly string[] {
  const claim = store.claim(key, NAME, kept => {
    if (typeof kept?.until !== 'number') return undefined
    const isFound = (one: JsonObject): boolean => found.some(({ id }) => id === one.id)
    return { until: kept.until, runs: entriesIn(kept).map(one => (isFound(one) ? { usedBy: by, ...one } : one)) }
  })
  return entriesIn(claim).flatMap(({ id, usedBy }) => (usedBy === by ? [String(id)] : []))
}

const entriesIn = (claim: JsonObject | undefined): readonly JsonObject[] =>
  Array.isArray(claim?.runs) ? claim.runs.filter(isObject) : []

function pendingOf(entry: JsonObject, now: number): readonly PendingRun[] {
  const { id, from, to, until, usedBy, name, client, session, command, cwd, call, folder } = entry
  const caller = callerOf(entry.caller)
  if (typeof from !== 'number' || typeof to !== 'number' || typeof until !== 'number' || until < now) return []
  if (typeof id !== 'string' || typeof command !== 'string' || !caller) return []
  const event: Event = {
    ...{ kind: 'tool.after', client: String(client), name: String(name), session: String(session), caller },
    ...(typeof cwd === 'string' && { cwd }),
    call: {
      ...{ tool: 'Bash', input: { command }, acts: [], status: 'unknown' },
      ...(typeof call === 'string' && { id: call }),
      ...(typeof folder === 'string' && { folder }),
    },
  }
  return [{ id, from, to, until, event, ...(typeof usedBy === 'string' && { usedBy }) }]
}

function callerOf(value: Json | undefined): Caller | undefined {
  if (!isObject(value)) return undefined
  const { kind, id, type } = value
  const typed = typeof type === 'string' ? { type } : {}
  if (kind === 'main') return { kind, ...typed }
  if (kind === 'agent' && typeof id === 'string') return { kind, id, ...typed }
  return kind === 'unknown' ? { kind } : undefined
}
