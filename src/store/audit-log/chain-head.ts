import { readFileSync, statSync } from 'node:fs'

/** The end of the chain: the number and the hash of a record. */
export interface ChainLink {
  readonly seq: number
  readonly hash: string
}

export const GENESIS_LINK: ChainLink = { seq: 0, hash: '0'.repeat(64) }

/** How much of a hash tells which record came before. */
const SHORT_HASH = 16
/** So many of the last commits are kept, and so many places in the long past: a change is found between two of them. */
const RECENT_COMMITS = 64
const PAST_SAMPLES = 64
const SAMPLE_DISTANCE = 512

/** What the file tells: the last commit, what it knows of those before, and what should not have happened to them. */
export interface ChainHead extends ChainLink {
  /** by number: what was committed */
  readonly seen: ReadonlyMap<number, string>
  /** by number: what was about to be */
  readonly announced: ReadonlyMap<number, readonly string[]>
  /** a number that was given to two records: somebody cut the end off, and others were written in its place */
  readonly twice?: number
  /** when this file had been taken away */
  readonly lost?: number
  /** records that were there of a sudden, when the next was written */
  readonly strange?: { readonly from: number; readonly to: number }
}

export const formatCommitLine = ({ seq, hash }: ChainLink): string => `${seq} ${hash}\n`
export const formatAnnouncementLine = (head: ChainLink, before: ChainLink): string =>
  `+${head.seq} ${head.hash} ${before.seq} ${before.hash.slice(0, SHORT_HASH)}\n`

/** Does it vouch for this record? */
export const vouchesFor = ({ seen, announced }: ChainHead, { seq, hash }: ChainLink): boolean =>
  seen.get(seq) === hash || announced.get(seq)?.includes(hash) === true

/** What shows a cut outlives the lines it was seen in; of those before the last ones, some are kept, from the first to the last. */
export function compactHeadLines({ seen, announced, twice, lost, strange }: ChainHead): string {
  const commits = [...seen].sort(([a], [b]) => a - b)
  const last = commits.at(-1)?.[0] ?? 0
  let apart = SAMPLE_DISTANCE
  while (last / apart > PAST_SAMPLES) apart *= 2
  const placeOf = (nth: number): number => Math.floor((commits[nth]?.[0] ?? 0) / apart)
  const kept = commits.filter((_, nth) => nth >= commits.length - RECENT_COMMITS || placeOf(nth) !== placeOf(nth - 1))
  const open = [...announced].filter(([seq]) => seq > last)
  return [
    ...kept.map(([seq, hash]) => formatCommitLine({ seq, hash })),
    ...open.flatMap(([seq, hashes]) => hashes.map(hash => `+${seq} ${hash}\n`)),
    twice === undefined ? '' : `twice ${twice}\n`,
    lost === undefined ? '' : `lost ${lost}\n`,
    strange === undefined ? '' : `strange ${strange.from} ${strange.to}\n`,
  ].join('')
}

const LINE = /^(\+?)(\d{1,15}) ([0-9a-f]{64})(?: (\d{1,15}) ([0-9a-f]+))?$/
/** What was announced behind half a line: a writer was killed in it, or somebody has cut the file there. */
const AFTER_PARTIAL_LINE = /(?!^)\+\d{1,15} [0-9a-f]{64} \d{1,15} [0-9a-f]+$/
const EVIDENCE = /^(twice|lost|strange) (\d{1,15})(?: (\d{1,15}))?$/

export function readChainHead(files: readonly string[]): ChainHead | undefined {
  const told = new HeadLineParser()
  for (const line of files.flatMap(readLines)) told.hear(line)
  return told.head
}

/** The lines, as they are read. */
class HeadLineParser {
  private readonly seen = new Map<number, string>()
  private readonly announced = new Map<number, string[]>()
  private twice: number | undefined
  private lost: number | undefined
  private strange: { from: number; to: number } | undefined
  private highest = 0
  /** the one before a line stands above it: not so in a file that was only just made */
  private follows = false

  get head(): ChainHead | undefined {
    const { seen, announced, twice, lost, strange } = this
    if (seen.size === 0 && announced.size === 0) return undefined
    const seq = Math.max(0, ...seen.keys())
    return {
      seq,
      hash: seen.get(seq) ?? GENESIS_LINK.hash,
      seen,
      announced,
      ...(twice !== undefined && { twice }),
      ...(lost !== undefined && { lost }),
      ...(strange && { strange }),
    }
  }

  hear(line: string): void {
    const [, plus, number, hash = '', before, short = ''] =
      LINE.exec(line) ?? LINE.exec(AFTER_PARTIAL_LINE.exec(line)?.[0] ?? '') ?? []
    if (number === undefined) this.remember(line)
    else if (plus)
      this.announce({ seq: Number(number), hash }, before === undefined ? undefined : Number(before), short)
    else this.commit({ seq: Number(number), hash })
  }

  private remember(line: string): void {
    const [, what, from, to] = EVIDENCE.exec(line) ?? []
    if (what === 'twice') this.twice ??= Number(from)
    if (what === 'strange') this.strange ??= { from: Number(from), to: Number(to) }
    if (what !== 'lost') return
    this.lost ??= Number(from)
    this.follows = false
  }

  private commit({ seq, hash }: ChainLink): void {
    const before = this.seen.get(seq)
    if (before !== undefined && before !== hash) this.twice ??= seq
    this.seen.set(seq, hash)
    this.note(seq)
  }

  private announce({ seq, hash }: ChainLink, before: number | undefined, short: string): void {
    // it names one that came before, and nothing stands above it: the file was emptied
    if (!this.follows && before) this.lost ??= seq
    if (this.follows && before && !this.hashesAt(before).some(one => one.startsWith(short)))
      this.strange ??= { from: Math.min(this.highest + 1, before), to: before }
    this.announced.set(seq, [...(this.announced.get(seq) ?? []), hash])
    this.note(seq)
  }

  private note(seq: number): void {
    this.highest = Math.max(this.highest, seq)
    this.follows = true
  }

  private hashesAt(seq: number): readonly string[] {
    const seen = this.seen.get(seq)
    return [...(this.announced.get(seq) ?? []), ...(seen === undefined ? [] : [seen])]
  }
}

function readLines(file: string): readonly string[] {
  try {
    return statSync(file).isFile() ? readFileSync(file, 'utf8').split('\n') : []
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
