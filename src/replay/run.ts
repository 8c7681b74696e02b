import { served } from '../clients/known.ts'
import { type Transcribing, transcribings } from '../clients/transcripts.ts'
import type { Result } from '../core/index.ts'
import type { Regex } from '../pattern/index.ts'
import type { Folders } from '../runtime/index.ts'
import { asksOf } from '../trial/index.ts'
import type { Benches } from './benches.ts'
import { type Found, findTranscripts, folderOf } from './find.ts'
import { Judge } from './judge.ts'
import { type Moment, type Over, past } from './past.ts'
import { Tally } from './tally.ts'
import type { Flaw } from './tape.ts'
import { hasTrail, trail } from './trail.ts'

export type Source = 'transcripts' | 'trail'

export interface Asked {
  readonly benches: Benches
  readonly folders: Folders
  readonly env: Readonly<Record<string, string | undefined>>
  readonly regex: Regex
  /** absent: transcripts, and the audit trail where there are none */
  readonly source?: Source
  readonly client?: string
  readonly since?: number
  readonly limit?: number
  /** the id of an event that is wanted whole */
  readonly want?: string
  /** every event that differs is kept with its id, for who reads all of it */
  readonly whole?: boolean
  readonly progress: (events: number, at: number) => void
}

export interface Replayed {
  readonly source: Source | 'nothing'
  readonly tally: Tally
  /** places that were looked at */
  readonly looked: readonly string[]
  readonly flaws: readonly Flaw[]
  readonly flawed: number
  readonly isCut: boolean
}

const MOST_FLAWS = 20
const EACH = 2000

/** Plays the past, from its beginning. Sessions that began before `since` are played whole, and counted from there. */
export function replay(asked: Asked): Replayed {
  const { benches, folders, source } = asked
  const places = transcribings
    .filter(({ id }) => asked.client === undefined || id === asked.client)
    .map(by => ({ by, folder: placeOf(by, asked) }))
  const found = source === 'trail' ? [] : choose(places, asked)
  const isTrail = source === 'trail' || (source === undefined && found.length === 0 && hasTrail(folders.state))
  const flaws: Flaw[] = []
  let flawed = 0
  const complain = (flaw: Flaw) => {
    flawed += 1
    if (flaws.length < MOST_FLAWS) flaws.push(flaw)
  }
  const isThere = isTrail ? hasTrail(folders.state) : found.length > 0
  const looked = [...(isTrail ? [] : places.map(one => one.folder)), ...(isTrail || !source ? [folders.state] : [])]
  const tally = new Tally(asked)
  if (!isThere) return { source: 'nothing', tally, looked, flaws, flawed, isCut: false }
  const bench = benches.benchFor()
  const moments = isTrail && bench ? trail(folders.state, asksOf(bench.after)) : past(found, complain)
  const isCut = play(moments, tally, asked)
  return { source: isTrail ? 'trail' : 'transcripts', tally, looked, flaws, flawed, isCut }
}

const placeOf = (by: Transcribing, { folders, env }: Asked): string =>
  folderOf(by, { home: folders.home, env, moves: id => served[id]?.moves })

/** Files of the sessions that count: an agent may work elsewhere than the session it belongs to. */
function choose(
  places: readonly { by: Transcribing; folder: string }[],
  { benches, since = 0 }: Asked,
): readonly Found[] {
  const all = places.flatMap(({ by, folder }) => findTranscripts(by, folder, since))
  const nameOf = ({ by, session }: Found) => session && `${by.id} ${session}`
  const isHere = ({ cwd }: Found): boolean => cwd !== undefined && benches.benchFor(cwd) !== undefined
  const names = new Set(all.filter(isHere).map(nameOf))
  names.delete(undefined)
  return all.filter(one => isHere(one) || names.has(nameOf(one)))
}

const isStop = (result: Result | undefined): boolean =>
  result?.outcome.decision === 'deny' || result?.outcome.decision === 'ask'

/** True where there was more than `limit`. */
function play(moments: Iterable<Moment | Over>, tally: Tally, asked: Asked): boolean {
  const { since = 0, limit = Infinity, client } = asked
  const judge = new Judge({
    home: asked.folders.home,
    regex: asked.regex,
    benchFor: cwd => asked.benches.benchFor(cwd),
    want: asked.want,
  })
  for (const moment of moments) {
    if ('over' in moment) {
      judge.end(moment.over)
      continue
    }
    if (client !== undefined && moment.client.id !== client) continue
    const all = judge.judge(moment)
    // the client gets one answer to a payload, whatever it tells of
    const decisive = all.find(({ after, before }) => isStop(after) || isStop(before)) ?? all[0]
    for (const judged of all) {
      if (moment.at < since) continue
      if (tally.events >= limit) return true
      tally.note(judged, moment, judged === decisive)
      if (tally.events % EACH === 0) asked.progress(tally.events, moment.at)
    }
  }
  return false
}
