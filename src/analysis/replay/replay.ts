import { footprintsByClient } from '../../clients/footprints.ts'
import { type TranscriptFormat, transcriptFormats } from '../../clients/transcripts.ts'
import type { EvaluationResult, Regex } from '../../engine/index.ts'
import type { Folders } from '../../hook/index.ts'
import { policyDataNeedsOf } from '../simulator/index.ts'
import { hasAuditLog, readAuditLog } from './audit-log-source.ts'
import type { ReplayPolicyLoader } from './policy-loader.ts'
import { ReplayEvaluator } from './replay-evaluator.ts'
import { Tally } from './tally.ts'
import { findTranscripts, type TranscriptSource, transcriptFolderOf } from './transcripts/find-transcripts.ts'
import { mergeTranscripts, type SessionEnd, type TimelineEntry } from './transcripts/timeline.ts'
import type { TranscriptError } from './transcripts/transcript-reader.ts'

export type ReplaySource = 'transcripts' | 'audit-log'

export interface ReplayOptions {
  readonly policyLoader: ReplayPolicyLoader
  readonly folders: Folders
  readonly env: Readonly<Record<string, string | undefined>>
  readonly regex: Regex
  /** absent: transcripts, or the audit log if there are none */
  readonly source?: ReplaySource
  readonly client?: string
  readonly since?: number
  readonly limit?: number
  /** id of an event to return in full */
  readonly want?: string
  /** keep every differing event with its id, not only samples */
  readonly whole?: boolean
  readonly progress: (events: number, at: number) => void
}

export interface ReplayResult {
  readonly source: ReplaySource | 'nothing'
  readonly tally: Tally
  /** folders that were searched */
  readonly searchedFolders: readonly string[]
  readonly flaws: readonly TranscriptError[]
  readonly flawed: number
  readonly isCut: boolean
}

const MAX_REPORTED_ERRORS = 20
const PROGRESS_INTERVAL = 2000

/** Replays past sessions from their beginning. Sessions that began before `since` are played whole, but counted only from then. */
export function replay(options: ReplayOptions): ReplayResult {
  const { policyLoader: benches, folders, source } = options
  const places = transcriptFormats
    .filter(({ id }) => options.client === undefined || id === options.client)
    .map(by => ({ by, folder: transcriptFolder(by, options) }))
  const found = source === 'audit-log' ? [] : chooseTranscripts(places, options)
  const isTrail = source === 'audit-log' || (source === undefined && found.length === 0 && hasAuditLog(folders.state))
  const flaws: TranscriptError[] = []
  let flawed = 0
  const complain = (flaw: TranscriptError) => {
    flawed += 1
    if (flaws.length < MAX_REPORTED_ERRORS) flaws.push(flaw)
  }
  const isThere = isTrail ? hasAuditLog(folders.state) : found.length > 0
  const looked = [...(isTrail ? [] : places.map(item => item.folder)), ...(isTrail || !source ? [folders.state] : [])]
  const tally = new Tally(options)
  if (!isThere) return { source: 'nothing', tally, searchedFolders: looked, flaws, flawed, isCut: false }
  const policies = benches.policiesFor()
  const moments =
    isTrail && policies
      ? readAuditLog(folders.state, policyDataNeedsOf(policies.after))
      : mergeTranscripts(found, complain)
  const isCut = playTimeline(moments, tally, options)
  return { source: isTrail ? 'audit-log' : 'transcripts', tally, searchedFolders: looked, flaws, flawed, isCut }
}

const transcriptFolder = (by: TranscriptFormat, { folders, env }: ReplayOptions): string =>
  transcriptFolderOf(by, { home: folders.home, env, moves: id => footprintsByClient[id]?.moves })

/** Transcripts of the selected sessions, including their agents' transcripts, which can have another working directory. */
function chooseTranscripts(
  places: readonly { by: TranscriptFormat; folder: string }[],
  { policyLoader: benches, since = 0 }: ReplayOptions,
): readonly TranscriptSource[] {
  const all = places.flatMap(({ by, folder }) => findTranscripts(by, folder, since))
  const nameOf = ({ by, session }: TranscriptSource) => session && `${by.id} ${session}`
  const isHere = ({ cwd }: TranscriptSource): boolean => cwd !== undefined && benches.policiesFor(cwd) !== undefined
  const names = new Set(all.filter(isHere).map(nameOf))
  names.delete(undefined)
  return all.filter(source => isHere(source) || names.has(nameOf(source)))
}

const isStopResult = (result: EvaluationResult | undefined): boolean =>
  result?.outcome.decision === 'deny' || result?.outcome.decision === 'ask'

/** True if there were more than `limit` events. */
function playTimeline(moments: Iterable<TimelineEntry | SessionEnd>, tally: Tally, options: ReplayOptions): boolean {
  const { since = 0, limit = Infinity, client } = options
  const judge = new ReplayEvaluator({
    home: options.folders.home,
    regex: options.regex,
    policiesFor: cwd => options.policyLoader.policiesFor(cwd),
    want: options.want,
  })
  for (const moment of moments) {
    if ('over' in moment) {
      judge.end(moment.over)
      continue
    }
    if (client !== undefined && moment.client.id !== client) continue
    const all = judge.judge(moment)
    // The client gets one reply to a payload, even if the payload decodes to several events.
    const decisive = all.find(({ after, before }) => isStopResult(after) || isStopResult(before)) ?? all[0]
    for (const judged of all) {
      if (moment.at < since) continue
      if (tally.events >= limit) return true
      tally.note(judged, moment, judged === decisive)
      if (tally.events % PROGRESS_INTERVAL === 0) options.progress(tally.events, moment.at)
    }
  }
  return false
}
