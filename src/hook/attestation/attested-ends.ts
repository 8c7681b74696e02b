import { realpathSync } from 'node:fs'
import { type Action, actionsOfTool, type Event, toUnresolvedAbsolute } from '../../engine/index.ts'
import { tryOr } from '../../lib/errors.ts'
import { fnv64 } from '../../lib/fnv64.ts'
import { isObject, jsonText } from '../../lib/json.ts'
import type { SessionKey, Store } from '../../store/index.ts'
import { type ActionContext, resolveActions } from '../events/actions.ts'
import { type Attestation, attestationHmac } from './attestation.ts'
import { openAttestationKey, readAttestationKey } from './attestation-key.ts'
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

/** No more attestations will follow: every command has ended, or one has failed. */
export const haveRunsEnded = (runs: readonly Run[], ends: ReadonlyMap<string, RunEnd>): boolean =>
  runs.every(run => ends.has(nameOf(run))) || [...ends.values()].includes('failed')

/** Adds the known ends to the actions of the event, and why others are not signed. */
export function withRunEnds(
  event: Event,
  runs: readonly Run[],
  endOf: (argv: string) => RunEnd | undefined,
  unsigned?: string,
): Event {
  const { call } = event
  if (!call) return event
  const actions = [...call.acts]
  for (const run of runs) {
    const ended = endOf(nameOf(run))
    if (ended) actions.splice(run.at, run.acts.length, ...run.acts.map(action => ({ ...action, ended })))
  }
  return { ...event, call: { ...call, acts: actions, unsigned } }
}

const nameOf = ({ argv }: Run): string => JSON.stringify(argv)

/** The commands that `signalbox run` runs in this call, in the foreground. */
export function runCommandsOf({ call, cwd }: Event, given: ActionContext): readonly Run[] {
  const reading = call && actionsOfTool(call.tool, call.input)
  if (!reading || !('shell' in reading) || !reading.shell.includes('signalbox')) return []
  const { shell, vars = {}, root, home } = given
  const context = { ...given, cwd: cwd ?? given.cwd }
  const here = toUnresolvedAbsolute(call.folder ?? '.', context.cwd, home)
  const { attested = [] } = shell().analyseShellLine(reading.shell, { background: reading.background, vars })
  return attested.map(({ argv, at, acts }) => {
    const folder = acts[0]?.folder
    const cwds = [here, context.cwd, root, ...(folder ? [toUnresolvedAbsolute(folder, here, home)] : [])]
    return { argv, at, acts: resolveActions(acts, call, context), cwds: [...new Set(cwds.flatMap(realOf))] }
  })
}

const realOf = (folder: string): readonly string[] => tryOr([], () => [realpathSync.native(folder)])

export const DAY_MS = 86_400_000

/** Without a call id, two equal calls at the same time share a key: the later beginning counts. */
export const runStartKey = ({ call }: Event): string =>
  `run ${call?.id ?? `${call?.tool}|${fnv64(jsonText(call?.input ?? {}))}`}`

export function recordRunStart(event: Event, { store, key, now }: AttestationContext): void {
  store.claim(key, runStartKey(event), () => ({ until: now + DAY_MS, at: now }))
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
  attestations: readonly Attestation[],
  { store, state, now }: AttestationContext,
): ReadonlyMap<string, RunEnd> {
  const secret = runs.length === 0 ? undefined : keyIn(state)
  if (!secret) return new Map()
  const isSigned = (word: Attestation, name: string): boolean =>
    runs.some(
      run =>
        nameOf(run) === name && run.cwds.some(cwd => attestationHmac({ ...word, ...run, cwd }, secret) === word.hmac),
    )
  const isUsable = (word: Attestation, name: string): boolean => {
    if (word.from < from || word.from > to || word.to > now || !isSigned(word, name)) return false
    const claim = store.claim(WORDS, `${word.from} ${word.nonce}`, used =>
      used ? undefined : { until: now + 2 * DAY_MS, by },
    )
    return isObject(claim) && claim.by === by
  }
  const left = runs.flatMap(({ argv, cwds }) => cwds.flatMap(cwd => attestationsFor(state, { argv, cwd })))
  const words = [...new Map([...attestations, ...left].map(word => [word.hmac, word])).values()]
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

export function beganAt(event: Event, { store, key, now }: AttestationContext): number | undefined {
  const began = store.claim(key, runStartKey(event))
  if (typeof began?.at !== 'number' || typeof began.until !== 'number' || began.until < now) return undefined
  return began.at
}

/**
 * Creates the key before the command runs: the hook can write to the state folder, an agent's sandbox may not. If that fails, `signalbox
 * run` reports why.
 */
export function ensureAttestationKey(state: string): void {
  try {
    openAttestationKey(state)
  } catch {}
}

/** Without a usable key no attestation counts: `signalbox run` reports why. */
const keyIn = (state: string): Uint8Array | undefined => tryOr(undefined, () => readAttestationKey(state))

/** The last attestation counts if there is at most one per command. Otherwise all must agree. */
function endOf(name: string, runs: readonly Run[], words: readonly Attestation[]): RunEnd | undefined {
  const ends = [...words]
    .sort((one, other) => one.to - other.to)
    .map(({ status }) => (status === 0 ? 'succeeded' : 'failed'))
  const last = ends.at(-1)
  const isClear = ends.length <= runs.filter(run => nameOf(run) === name).length || ends.every(end => end === last)
  return isClear ? last : undefined
}
