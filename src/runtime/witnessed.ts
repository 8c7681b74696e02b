import { realpathSync } from 'node:fs'
import { type Act, actsOfTool, type Event } from '../core/index.ts'
import { anchored, digest, isObject, jsonText } from '../pattern/index.ts'
import type { SessionKey, Store } from '../store/index.ts'
import { type Ground, settled } from './acts.ts'
import { type Witness, witnessesIn, witnessSeal } from './witness.ts'
import { openKey, randomHex, readKey } from './witness-key.ts'

/** A command of the call that `signalbox run` runs, and its acts as its own status tells of them. */
interface Run {
  readonly argv: readonly string[]
  readonly at: number
  readonly acts: readonly Act[]
  /** where it may have run: real paths */
  readonly cwds: readonly string[]
}

interface Hearing extends Ground {
  /** the payload as it came */
  readonly text: string
  readonly state: string
  readonly store: Store
  readonly key: SessionKey
  readonly identity: string | undefined
  readonly now: number
}

type Ended = 'succeeded' | 'failed'

/** Before a call: notes when it begins. After it: how its commands ended, by the word of `signalbox run`. */
export function withWitnesses(event: Event, hearing: Hearing): Event {
  if (event.kind === 'tool.before') {
    if (runsOf(event, hearing).length > 0) {
      noteBeginning(event, hearing)
      makeKey(hearing.state)
    }
    return event
  }
  if (event.kind !== 'tool.after' && event.kind !== 'tool.failed') return event
  const witnesses = witnessesIn(hearing.text)
  const runs = witnesses.length === 0 ? [] : runsOf(event, hearing)
  if (runs.length === 0) return event
  const believed = believer(event, hearing)
  return believed ? believing(event, runs, argv => endOf(argv, runs, witnesses.filter(believed(argv, runs)))) : event
}

/** The event with the ends that are known. */
export function believing(event: Event, runs: readonly Run[], endOf: (argv: string) => Ended | undefined): Event {
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

/** What `signalbox run` runs in this call, in the foreground. */
export function runsOf({ call, cwd }: Event, given: Ground): readonly Run[] {
  const reading = call && actsOfTool(call.tool, call.input)
  if (!reading || !('shell' in reading) || !reading.shell.includes('signalbox')) return []
  const { shell, vars = {}, root, home } = given
  const ground = { ...given, cwd: cwd ?? given.cwd }
  const here = anchored(call.folder ?? '.', ground.cwd, home)
  const { witnessed = [] } = shell().readShell(reading.shell, { background: reading.background, vars })
  return witnessed.map(({ argv, at, acts }) => {
    const folder = acts[0]?.folder
    const cwds = [here, ground.cwd, root, ...(folder ? [anchored(folder, here, home)] : [])]
    return { argv, at, acts: settled(acts, call, ground), cwds: [...new Set(cwds.flatMap(realOf))] }
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

/** Of two equal calls at once, without an id, the later beginning counts. */
const beginning = ({ call }: Event): string =>
  `run ${call?.id ?? `${call?.tool}|${digest(jsonText(call?.input ?? {}))}`}`

function noteBeginning(event: Event, { store, key, now }: Hearing): void {
  store.claim(key, beginning(event), () => ({ until: now + DAY, at: now }))
}

/** Every word is used once, by whichever session: kept for longer than the beginning of any call that could use it again. */
const WORDS: SessionKey = { client: 'signalbox run', session: '' }

/**
 * Whose word is believed: signed with our key for this very command and folder, of a time within the call, and not used by
 * another event. The same event, in another process, may use it too.
 */
function believer(event: Event, { store, key, identity, state, now }: Hearing) {
  const secret = keyIn(state)
  const began = store.claim(key, beginning(event))
  if (!secret || typeof began?.at !== 'number' || typeof began.until !== 'number' || began.until < now) return undefined
  const { at } = began
  const by = JSON.stringify([key.client, key.session, identity ?? randomHex(16)])
  return (name: string, runs: readonly Run[]) => (word: Witness) => {
    if (word.from < at || word.to > now) return false
    const isSigned = runs.some(
      run => nameOf(run) === name && run.cwds.some(cwd => witnessSeal({ ...word, ...run, cwd }, secret) === word.seal),
    )
    if (!isSigned) return false
    const claim = store.claim(WORDS, `${word.from} ${word.nonce}`, used =>
      used ? undefined : { until: now + 2 * DAY, by },
    )
    return isObject(claim) && claim.by === by
  }
}

/**
 * Makes the key before the command runs: the hook may write to the state folder, and an agent's sandbox may not. If it cannot be
 * made, `signalbox run` says why.
 */
function makeKey(state: string): void {
  try {
    openKey(state)
  } catch {}
}

/** Without a key that can be used nobody is believed: `signalbox run` says why. */
function keyIn(state: string): Uint8Array | undefined {
  try {
    return readKey(state)
  } catch {
    return undefined
  }
}

/** The last word counts where each command had at most one; more of them have to agree. */
function endOf(name: string, runs: readonly Run[], words: readonly Witness[]): Ended | undefined {
  const ends = [...words]
    .sort((one, other) => one.to - other.to)
    .map(({ status }) => (status === 0 ? 'succeeded' : 'failed'))
  const last = ends.at(-1)
  const isClear = ends.length <= runs.filter(run => nameOf(run) === name).length || ends.every(end => end === last)
  return isClear ? last : undefined
}
