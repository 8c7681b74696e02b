import { realpathSync } from 'node:fs'
import { type Action, actionsOfTool, type Caller, type Event, toUnresolvedAbsolute } from '../../engine/index.ts'
import { fnv64 } from '../../lib/fnv64.ts'
import { isObject, type Json, type JsonObject, jsonText } from '../../lib/json.ts'
import { createMask, type SessionKey, type Store } from '../../store/index.ts'
import { type ActionContext, resolvePaths } from '../events/actions.ts'
import { type Attestation, attestationHmac, findAttestations } from './attestation.ts'
import { openAttestationKey, randomHex, readAttestationKey } from './attestation-key.ts'
import { attestationsFor } from './left-attestations.ts'

/** A command that `signalbox run` runs in the call, and its actions if its own exit status decides about them. */
interface Run {
  readonly argv: readonly string[]
  readonly at: number
  readonly acts: readonly Action[]
  /** where it may have run: real paths */
  readonly cwds: readonly string[]
}

export interface AttestationContext extends ActionContext {
  /** the raw payload */
  readonly text: string
  readonly state: string
  readonly store: Store
  readonly key: SessionKey
  readonly identity: string | undefined
  readonly now: number
}

type RunEnd = 'succeeded' | 'failed'

/**
 * Before a call: records when it begins. After a call: adds how its commands ended, from attestations in the payload or in the state
 * folder. If a command still runs when its call has ended, the call is kept until the command ends.
 */
export function withAttestedEnds(event: Event, hearing: AttestationContext): Event {
  if (event.kind === 'tool.before') {
    if (attestedRunsOf(inForeground(event), hearing).length > 0) {
      noteBeginning(event, hearing)
      makeKey(hearing.state)
    }
    return event
  }
  if (event.kind !== 'tool.after' && event.kind !== 'tool.failed') return event
  const all = attestedRunsOf(inForeground(event), hearing)
  const at = all.length === 0 ? undefined : beganAt(event, hearing)
  if (at === undefined) return event
  const runs = attestedRunsOf(event, hearing)
  const by = JSON.stringify([hearing.key.client, hearing.key.session, hearing.identity ?? randomHex(16)])
  const ends = attestedEnds(runs, { from: at, to: hearing.now, by }, findAttestations(hearing.text), hearing)
  if (event.call?.status === 'unknown' && !haveRunsEnded(all, ends))
    savePendingRun(event, at, beginning(event), hearing)
  return withRunEnds(event, runs, name => ends.get(name))
}

/** The same call, analysed as if it ran in the foreground. */
function inForeground(event: Event): Event {
  const { call } = event
  if (!call || !('run_in_background' in call.input)) return event
  const { run_in_background, ...input } = call.input
  return { ...event, call: { ...call, input } }
}

/** No more attestations will follow: every command has ended, or one has failed. */
export const haveRunsEnded = (runs: readonly Run[], ends: ReadonlyMap<string, RunEnd>): boolean =>
  runs.every(run => ends.has(nameOf(run))) || [...ends.values()].includes('failed')

/** Adds the known ends to the actions of the event. */
export function withRunEnds(event: Event, runs: readonly Run[], endOf: (argv: string) => RunEnd | undefined): Event {
  const { call } = event
  if (!call) return event
  const acts = [...call.acts]
  for (const run of runs) {
    const ended = endOf(nameOf(run))
    if (ended) acts.splice(run.at, run.acts.length, ...run.acts.map(act => ({ ...act, ended })))
  }
  return { ...event, call: { ...call, acts } }
}

const nameOf = ({ argv }: Run): string => JSON.stringify(argv)

/** The commands that `signalbox run` runs in this call, in the foreground. */
export function attestedRunsOf({ call, cwd }: Event, given: ActionContext): readonly Run[] {
  const reading = call && actionsOfTool(call.tool, call.input)
  if (!reading || !('shell' in reading) || !reading.shell.includes('signalbox')) return []
  const { shell, vars = {}, root, home } = given
  const ground = { ...given, cwd: cwd ?? given.cwd }
  const here = toUnresolvedAbsolute(call.folder ?? '.', ground.cwd, home)
  const { witnessed = [] } = shell().analyseShellLine(reading.shell, { background: reading.background, vars })
  return witnessed.map(({ argv, at, acts }) => {
    const folder = acts[0]?.folder
    const cwds = [here, ground.cwd, root, ...(folder ? [toUnresolvedAbsolute(folder, here, home)] : [])]
    return { argv, at, acts: resolvePaths(acts, call, ground), cwds: [...new Set(cwds.flatMap(realOf))] }
  })
}

function realOf(folder: string): readonly string[] {
  try {
    return [realpathSync.native(folder)]
  } catch {
    return []
  }
}

const DAY = 86_400_000

/** Without a call id, two equal calls at the same time share a key: the later beginning counts. */
const beginning = ({ call }: Event): string =>
  `run ${call?.id ?? `${call?.tool}|${fnv64(jsonText(call?.input ?? {}))}`}`

function noteBeginning(event: Event, { store, key, now }: AttestationContext): void {
  store.claim(key, beginning(event), () => ({ until: now + DAY, at: now }))
}

/** Each attestation is used once, across all sessions. Uses are kept for longer than the beginning of any call that could reuse it. */
const WORDS: SessionKey = { client: 'signalbox run', session: '' }

/** The command began between `from` and `to`. Only `by` may use the attestation. */
interface Claimant {
  readonly from: number
  readonly to: number
  readonly by: string
}

/**
 * How the commands ended, by name. An attestation counts if it is signed with our key for exactly this command and folder, if its command
 * began in the given time and has ended, and if nothing else used it. The same event in another process may use it too.
 */
export function attestedEnds(
  runs: readonly Run[],
  { from, to, by }: Claimant,
  heard: readonly Attestation[],
  { store, state, now }: AttestationContext,
): ReadonlyMap<string, RunEnd> {
  const secret = runs.length === 0 ? undefined : keyIn(state)
  if (!secret) return new Map()
  const isSigned = (word: Attestation, name: string): boolean =>
    runs.some(
      run =>
        nameOf(run) === name && run.cwds.some(cwd => attestationHmac({ ...word, ...run, cwd }, secret) === word.seal),
    )
  const isUsable = (word: Attestation, name: string): boolean => {
    if (word.from < from || word.from > to || word.to > now || !isSigned(word, name)) return false
    const claim = store.claim(WORDS, `${word.from} ${word.nonce}`, used =>
      used ? undefined : { until: now + 2 * DAY, by },
    )
    return isObject(claim) && claim.by === by
  }
  const left = runs.flatMap(({ argv, cwds }) => cwds.flatMap(cwd => attestationsFor(state, { argv, cwd })))
  const words = [...new Map([...heard, ...left].map(word => [word.seal, word])).values()]
  return new Map(
    [...new Set(runs.map(nameOf))].flatMap(name => {
      const ended = endOf(
        name,
        runs,
        words.filter(word => isUsable(word, name)),
      )
      return ended ? [[name, ended] as const] : []
    }),
  )
}

function beganAt(event: Event, { store, key, now }: AttestationContext): number | undefined {
  const began = store.claim(key, beginning(event))
  if (typeof began?.at !== 'number' || typeof began.until !== 'number' || began.until < now) return undefined
  return began.at
}

/**
 * Creates the key before the command runs: the hook can write to the state folder, an agent's sandbox may not. If that fails, `signalbox
 * run` reports why.
 */
function makeKey(state: string): void {
  try {
    openAttestationKey(state)
  } catch {}
}

/** Without a usable key no attestation counts: `signalbox run` reports why. */
function keyIn(state: string): Uint8Array | undefined {
  try {
    return readAttestationKey(state)
  } catch {
    return undefined
  }
}

/** The last attestation counts if there is at most one per command. Otherwise all must agree. */
function endOf(name: string, runs: readonly Run[], words: readonly Attestation[]): RunEnd | undefined {
  const ends = [...words]
    .sort((one, other) => one.to - other.to)
    .map(({ status }) => (status === 0 ? 'succeeded' : 'failed'))
  const last = ends.at(-1)
  const isClear = ends.length <= runs.filter(run => nameOf(run) === name).length || ends.every(end => end === last)
  return isClear ? last : undefined
}

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
const MOST = 8
const LONGEST_LINE = 4000
/** The time a busy machine may need to start a program in the background. */
const START_MS = 10_000

/** Keeps the call until its command has ended. A line with a secret is not kept. */
function savePendingRun(event: Event, from: number, id: string, { store, key, now }: Kept): void {
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
